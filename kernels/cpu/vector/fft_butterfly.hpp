#pragma once

#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// A vector of complex numbers, one for each lane.
template <class P>
struct Complex {
  using Vector = typename P::Vector;
  Vector re, im;

  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

  /// Return a + b and a - b. With AVX-512 both results are computed as multiply-adds with a factor
  /// of 1, which gives the same bits. On processors with separate adders, butterflies would
  /// otherwise wait for the adders while the multiply-add units are idle.
  [[gnu::always_inline]] static Complex sum(Complex a, Complex b) {
#if defined(__AVX512F__)
    return {P::fused(a.re, one(), b.re), P::fused(a.im, one(), b.im)};
#else
    return a + b;
#endif
  }
  [[gnu::always_inline]] static Complex difference(Complex a, Complex b) {
#if defined(__AVX512F__)
    return {P::fused(-b.re, one(), a.re), P::fused(-b.im, one(), a.im)};
#else
    return a - b;
#endif
  }

  /// Product with `w` or with the conjugate of `w`.
  template <bool conjugate>
  [[gnu::always_inline]] Complex times(Complex w) const {
    if constexpr (conjugate) return {P::fused(im, w.im, re * w.re), P::fused(-re, w.im, im * w.re)};
    return {P::fused(-im, w.im, re * w.re), P::fused(re, w.im, im * w.re)};
  }
  /// Product with a real factor, plus `other`.
  [[gnu::always_inline]] Complex times_and(long double factor, Complex other) const {
    const Vector f = Vector{} + decltype(re[0] + 0)(factor);
    return {P::fused(re, f, other.re), P::fused(im, f, other.im)};
  }
  /// Returns the value 1, hidden from the compiler, which would otherwise replace the multiply-add
  /// by an addition.
  [[gnu::always_inline]] static Vector one() {
    Vector value = Vector{} + 1;
    P::pin(value);
    return value;
  }

  /// Product with -i or, for the conjugate, with i.
  template <bool conjugate>
  Complex quarter_turn() const {
    if constexpr (conjugate) return {-im, re};
    return {im, -re};
  }
};

/// Butterfly of 4 points: `y[m] = sum_k exp(-+ 2 pi i m k / 4) x[k]`, with + for the conjugate.
template <bool conjugate, class C>
[[gnu::always_inline]] inline void butterfly(C& x0, C& x1, C& x2, C& x3) {
  const C a = C::sum(x0, x2), b = C::difference(x0, x2), c = x1 + x3,
          d = (x1 - x3).template quarter_turn<conjugate>();
  x0 = a + c;
  x1 = b + d;
  x2 = a - c;
  x3 = b - d;
}

template <bool conjugate, class C>
[[gnu::always_inline]] inline void butterfly(C (&x)[4]) {
  butterfly<conjugate>(x[0], x[1], x[2], x[3]);
}

/// Butterfly of 8 points: sums and differences of opposite points, multiplication of the
/// differences by eighths of a turn, and two butterflies of 4 points. The factor sqrt(1/2) of the
/// odd eighths is applied in the last additions.
template <bool conjugate, class P>
[[gnu::always_inline]] inline void butterfly(Complex<P> (&x)[8]) {
  using C = Complex<P>;
  C s[4], d[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    s[k] = C::sum(x[k], x[k + 4]);
    d[k] = x[k] - x[k + 4];
  }
  const C q1 = d[1].template quarter_turn<conjugate>(),
          q3 = d[3].template quarter_turn<conjugate>();
  d[1] = d[1] + q1;
  d[3] = q3 - d[3];
  d[2] = d[2].template quarter_turn<conjugate>();
  const C a = d[0] + d[2], b = d[0] - d[2], c = d[1] + d[3],
          e = (d[1] - d[3]).template quarter_turn<conjugate>();
  butterfly<conjugate>(s);
  constexpr auto h = 0.70710678118654752440L;  // sqrt(1/2)
  x[0] = s[0];
  x[1] = c.times_and(h, a);
  x[2] = s[1];
  x[3] = e.times_and(h, b);
  x[4] = s[2];
  x[5] = c.times_and(-h, a);
  x[6] = s[3];
  x[7] = e.times_and(-h, b);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

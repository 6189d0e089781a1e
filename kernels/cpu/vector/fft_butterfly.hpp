#pragma once

#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// One point of as many transforms as a vector has lanes. In memory: all real parts, then all
/// imaginary ones, aligned to vectors.
template <class P>
struct Complex {
  using Vector = typename P::Vector;
  Vector re, im;

  template <class T>
  static Complex load(const T* from) {
    return {*reinterpret_cast<const Vector*>(from),
            *reinterpret_cast<const Vector*>(from + P::lanes)};
  }
  template <class T>
  void store(T* to) const {
    *reinterpret_cast<Vector*>(to) = re;
    *reinterpret_cast<Vector*>(to + P::lanes) = im;
  }
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

  /// Times `w[0] + i w[1]`, or its conjugate.
  template <bool conjugate, class T>
  [[gnu::always_inline]] Complex times(const T* w) const {
    const Vector wr = P::splat(w[0]), wi = P::splat(w[1]);
    if constexpr (conjugate) return {P::fused(im, wi, re * wr), P::fused(-re, wi, im * wr)};
    return {P::fused(-im, wi, re * wr), P::fused(re, wi, im * wr)};
  }
  /// Times -i, or i for the conjugate.
  template <bool conjugate>
  Complex quarter_turn() const {
    if constexpr (conjugate) return {-im, re};
    return {im, -re};
  }
};

/// `y[m] = sum_k exp(-+ 2 pi i m k / 4) x[k]`, plus where conjugate.
template <bool conjugate, class C>
[[gnu::always_inline]] inline void butterfly(C& x0, C& x1, C& x2, C& x3) {
  const C a = x0 + x2, b = x0 - x2, c = x1 + x3, d = (x1 - x3).template quarter_turn<conjugate>();
  x0 = a + c;
  x1 = b + d;
  x2 = a - c;
  x3 = b - d;
}

template <bool conjugate, class C>
[[gnu::always_inline]] inline void butterfly(C (&x)[4]) {
  butterfly<conjugate>(x[0], x[1], x[2], x[3]);
}

/// The same of 8: sums and differences of opposite points, the differences turned by eighths, and
/// two of 4.
template <bool conjugate, class C>
[[gnu::always_inline]] inline void butterfly(C (&x)[8]) {
  using V = typename C::Vector;
  C s[4], d[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    s[k] = x[k] + x[k + 4];
    d[k] = x[k] - x[k + 4];
  }
  // sqrt(1/2) of the element type
  const V h = V{} + decltype(s[0].re[0] + 0)(0.70710678118654752440L);
  const C q1 = d[1].template quarter_turn<conjugate>(),
          q3 = d[3].template quarter_turn<conjugate>();
  d[1] = {h * (d[1].re + q1.re), h * (d[1].im + q1.im)};
  d[2] = d[2].template quarter_turn<conjugate>();
  d[3] = {h * (q3.re - d[3].re), h * (q3.im - d[3].im)};
  butterfly<conjugate>(s);
  butterfly<conjugate>(d);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    x[2 * k] = s[k];
    x[2 * k + 1] = d[k];
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

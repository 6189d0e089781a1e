#pragma once

#include "kernels/cuda/arithmetic.cuh"

// The operations of cpu/vector/fft_butterfly.hpp for one point per thread. The operations are the
// same as on CPUs, so the results have the same bits.

namespace stencil::cuda {

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;

  friend __device__ __forceinline__ Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend __device__ __forceinline__ Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }

  /// Product with `w` or with the conjugate of `w`.
  template <bool conjugate>
  __device__ __forceinline__ Complex times(Complex w) const {
    if constexpr (conjugate) return {fused(im, w.im, re * w.re), fused(-re, w.im, im * w.re)};
    return {fused(-im, w.im, re * w.re), fused(re, w.im, im * w.re)};
  }
  /// Product with a real factor, plus `other`.
  __device__ __forceinline__ Complex times_and(T factor, Complex other) const {
    return {fused(re, factor, other.re), fused(im, factor, other.im)};
  }
  /// Product with -i or, for the conjugate, with i.
  template <bool conjugate>
  __device__ __forceinline__ Complex quarter_turn() const {
    if constexpr (conjugate) return {-im, re};
    return {im, -re};
  }
};

/// Butterfly of 4 points: `y[m] = sum_k exp(-+ 2 pi i m k / 4) x[k]`, with + for the conjugate.
template <bool conjugate, class T>
__device__ __forceinline__ void butterfly(Complex<T> (&x)[4]) {
  using C = Complex<T>;
  const C a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3],
          d = (x[1] - x[3]).template quarter_turn<conjugate>();
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

/// Butterfly of 8 points: sums and differences of opposite points, multiplication of the
/// differences by eighths of a turn, and two butterflies of 4 points. The factor sqrt(1/2) of the
/// odd eighths is applied in the last additions.
template <bool conjugate, class T>
__device__ __forceinline__ void butterfly(Complex<T> (&x)[8]) {
  using C = Complex<T>;
  C s[4], d[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    s[k] = x[k] + x[k + 4];
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
  constexpr T h = T(0.70710678118654752440L);  // sqrt(1/2)
  x[0] = s[0];
  x[1] = c.times_and(h, a);
  x[2] = s[1];
  x[3] = e.times_and(h, b);
  x[4] = s[2];
  x[5] = c.times_and(-h, a);
  x[6] = s[3];
  x[7] = e.times_and(-h, b);
}

}  // namespace stencil::cuda

#pragma once

namespace stencil::cuda {

/// a * b + c, rounded once.
__device__ __forceinline__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ __forceinline__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

/// The one NaN that results may be.
template <class T>
__device__ __forceinline__ T quiet_nan() {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(0x7fc00000);
  } else {
    return __longlong_as_double(0x7ff8000000000000LL);
  }
}

/// A sum as results store it.
///
/// In float32 the NaN of any arithmetic is 0x7fffffff (PTX ISA, fma), which as a whole number is
/// above quiet_nan and everything else is not: one instruction instead of two.
template <class T>
__device__ __forceinline__ T clean(T value) {
  if constexpr (sizeof(T) == 4) {
    return __int_as_float(min(__float_as_int(value), __float_as_int(quiet_nan<T>())));
  } else {
    return value == value ? value : quiet_nan<T>();
  }
}

/// What a sum runs over: renormalizing needs a sum of the valid points, of the taps that lie on
/// valid points, and of the absolute values of these taps.
enum class Summed { points, valid_points, taps, absolute_taps };

/// A point as the sum meets it. A product with 1 or 0 is exact, so a sum of taps has the bits of
/// plain additions.
template <Summed what, class T>
__device__ __forceinline__ T met(T point) {
  if constexpr (what == Summed::points) return point;
  if constexpr (what == Summed::valid_points) return point == point ? point : T(0);
  return point == point ? T(1) : T(0);
}
template <Summed what, class T>
__device__ __forceinline__ T weighed(T tap) {
  return what == Summed::absolute_taps ? abs(tap) : tap;
}

/// Rescales a sum over valid points: rescale_row of kernels/cpu/row_kernels.hpp for one point.
template <class T>
__device__ __forceinline__ T rescaled(T sum, T valid_sum, T share, T total, T threshold) {
  const bool missing = share < threshold || share == 0 || valid_sum == 0;
  const T scaled = valid_sum == total ? sum : sum * (total / valid_sum);
  return missing ? quiet_nan<T>() : clean(scaled);
}

}  // namespace stencil::cuda

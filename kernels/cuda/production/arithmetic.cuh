#pragma once

#include "kernels/cuda/arithmetic.cuh"

namespace stencil::cuda {

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

#pragma once

#include "kernels/cuda/arithmetic.cuh"

namespace stencil::cuda {

/// Returns whether an output is missing, given the sum `share` of the absolute values of its taps
/// on valid points.
template <class T>
__device__ __forceinline__ bool is_too_little(T share, T threshold) {
  return share < threshold || share == 0;
}

/// Rescales a sum over valid points, as rescale_row of kernels/cpu/row_kernels.hpp does for a row.
///
/// @param valid_sum  sum of the taps on valid points
/// @param total      sum of all taps
template <class T>
__device__ __forceinline__ T rescaled(T sum, T valid_sum, bool too_little, T total) {
  const T scaled = valid_sum == total ? sum : sum * (total / valid_sum);
  return too_little || valid_sum == 0 ? quiet_nan<T>() : clean(scaled);
}

}  // namespace stencil::cuda

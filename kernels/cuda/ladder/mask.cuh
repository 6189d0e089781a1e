#pragma once

#include <algorithm>

#include "kernels/cuda/ladder/geometry.hpp"

namespace stencil::cuda::ladder {

/// A mask inside a kernel's arguments, which live in constant memory: one tap is read by all
/// threads of a warp at once, and a cache of its own holds it. Kernels take it as
/// `const __grid_constant__` and hand it on by reference, so that nothing copies it.
template <class T, int capacity>
struct ConstantMask {
  int height, width;
  bool skip_zeros;  ///< whether taps of exactly 0 do not meet their input
  T taps[capacity];
};

/// A mask in global memory.
template <class T>
struct GlobalMask {
  int height, width;
  bool skip_zeros;
  const T* taps;
};

/// Asking every tap costs time, so only masks that have zeros to skip are asked.
template <class T>
bool has_zeros_to_skip(const Stencil<T>& stencil) {
  return !stencil.multiply_zeros &&
         std::find(stencil.taps.begin(), stencil.taps.end(), T(0)) != stencil.taps.end();
}

template <class T, int capacity>
void launch_with_capacity(const Stencil<T>& stencil, const auto& launch) {
  ConstantMask<T, capacity> mask;
  mask.height = int(stencil.height);
  mask.width = int(stencil.width);
  mask.skip_zeros = has_zeros_to_skip(stencil);
  std::copy(stencil.taps.begin(), stencil.taps.end(), mask.taps);
  std::fill(mask.taps + stencil.taps.size(), mask.taps + capacity, T(0));
  launch(mask);
}

/// Calls `launch(mask)` with the mask in the smallest arguments that hold it.
///
/// @pre the taps fit most_mask_bytes
template <class T>
void with_constant_mask(const Stencil<T>& stencil, const auto& launch) {
  if (stencil.taps.size() * sizeof(T) <= small_mask_bytes) {
    launch_with_capacity<T, int(small_mask_bytes / sizeof(T))>(stencil, launch);
  } else {
    launch_with_capacity<T, int(most_mask_bytes / sizeof(T))>(stencil, launch);
  }
}

__device__ inline float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ inline double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

template <bool skip_zeros, class T, class Mask>
__device__ T sum_rows(const Mask& mask, const auto& input) {
  T sum = 0;
  for (int j = 0; j < mask.height; ++j) {
    for (int i = 0; i < mask.width; ++i) {
      const T tap = mask.taps[j * mask.width + i];
      if (skip_zeros && tap == 0) continue;
      sum = fused(tap, T(input(j, i)), sum);
    }
  }
  return sum;
}

/// The sum that every rung makes, in the order that gives the bits of convolve_cpu.
///
/// @param input  `input(j, i)` is what lies under tap (j, i)
template <class T, class Mask>
__device__ T sum_taps(const Mask& mask, const auto& input) {
  return mask.skip_zeros ? sum_rows<true, T>(mask, input) : sum_rows<false, T>(mask, input);
}

}  // namespace stencil::cuda::ladder

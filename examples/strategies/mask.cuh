#pragma once

#include <algorithm>
#include <type_traits>

#include "examples/strategies/geometry.hpp"
#include "kernels/cuda/arithmetic.cuh"

namespace stencil::cuda::ladder {

/// The sides of a mask of any size.
struct AnySides {
  int height, width;
  bool skip_zeros;  ///< whether taps of exactly 0 are not multiplied by their input
};

/// Sides known at compile time, for masks without taps to skip. The loops over the taps are
/// unrolled, addresses are compile-time constants, and a tap in constant memory is read once for a
/// whole warp into a uniform register.
template <int h, int w>
struct FixedSides {
  static constexpr int height = h, width = w;
  static constexpr bool skip_zeros = false;
};

/// A mask in the arguments of a kernel, which are in constant memory: all threads of a warp read
/// one tap at once, from a separate cache. Kernels take the mask as `const __grid_constant__` and
/// pass it on by reference, so that it is not copied.
template <class T, class Sides, int capacity>
struct ConstantMask : Sides {
  T taps[capacity];
};

/// A mask in global memory.
template <class T, class Sides>
struct GlobalMask : Sides {
  const T* taps;
};

/// Whether some taps of 0 are skipped. A test of every tap costs time, so only masks with such taps
/// use it.
template <class T>
bool has_zeros_to_skip(const Stencil<T>& stencil) {
  return !stencil.multiply_zeros &&
         std::find(stencil.taps.begin(), stencil.taps.end(), T(0)) != stencil.taps.end();
}

/// Calls `use(sides)`, with FixedSides for the masks that `stencil_bench strategies` compares.
template <class T>
void with_sides(const Stencil<T>& stencil, const auto& use) {
  const bool skip_zeros = has_zeros_to_skip(stencil);
  const auto are = [&](Index height, Index width) {
    return !skip_zeros && stencil.height == height && stencil.width == width;
  };
  if (are(1, 5)) return use(FixedSides<1, 5>{});
  if (are(1, 17)) return use(FixedSides<1, 17>{});
  if (are(1, 65)) return use(FixedSides<1, 65>{});
  if (are(3, 3)) return use(FixedSides<3, 3>{});
  if (are(5, 5)) return use(FixedSides<5, 5>{});
  if (are(9, 9)) return use(FixedSides<9, 9>{});
  use(AnySides{int(stencil.height), int(stencil.width), skip_zeros});
}

template <int capacity, class T, class Sides>
void launch_with_capacity(const Stencil<T>& stencil, const Sides& sides, const auto& launch) {
  ConstantMask<T, Sides, capacity> mask{sides, {}};
  std::copy(stencil.taps.begin(), stencil.taps.end(), mask.taps);
  launch(mask);
}

/// Calls `launch(mask)` with a mask of the smallest capacity that holds the taps.
///
/// @pre the taps fit into most_mask_bytes
template <class T>
void with_constant_mask(const Stencil<T>& stencil, const auto& launch) {
  with_sides(stencil, [&]<class Sides>(const Sides& sides) {
    if constexpr (!std::is_same_v<Sides, AnySides>) {
      launch_with_capacity<Sides::height * Sides::width>(stencil, sides, launch);
    } else if (stencil.taps.size() * sizeof(T) <= small_mask_bytes) {
      launch_with_capacity<int(small_mask_bytes / sizeof(T))>(stencil, sides, launch);
    } else {
      launch_with_capacity<int(most_mask_bytes / sizeof(T))>(stencil, sides, launch);
    }
  });
}

template <bool skip_zeros, class T, class Mask>
__device__ T sum_rows(const Mask& mask, const auto& input) {
  T sum = 0;
#pragma unroll
  for (int j = 0; j < mask.height; ++j) {
#pragma unroll
    for (int i = 0; i < mask.width; ++i) {
      const T tap = mask.taps[j * mask.width + i];
      if (skip_zeros && tap == 0) continue;
      sum = fused(tap, T(input(j, i)), sum);
    }
  }
  return sum;
}

/// The sum that every strategy computes, in the order that gives the same bits as convolve_cpu.
///
/// @param input  `input(j, i)` is the input under tap (j, i)
template <class T, class Mask>
__device__ T sum_taps(const Mask& mask, const auto& input) {
  return mask.skip_zeros ? sum_rows<true, T>(mask, input) : sum_rows<false, T>(mask, input);
}

}  // namespace stencil::cuda::ladder

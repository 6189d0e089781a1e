#pragma once

#include <string>

#include "kernels/stencil.hpp"

namespace stencil {

/// Returns the name of the kernel that convolve_cpu chooses for a stencil: processor, walk, number
/// of multiplied taps, stride or missing points if any, and vector extension. Examples: `cpu
/// separable, 17 + 17 taps in one sweep, avx512`, `cpu sum of 2 separable, 2 x (15 + 15) taps in
/// one sweep, avx512`, `cpu sparse, 5 of 3x3 taps, over valid points, avx2`, `cpu line, 9 taps,
/// stride 1 4, avx512`.
///
/// @throws WordsError  STENCIL_SIMD names no vector extension of this processor
template <class T>
std::string kernel_name(const Stencil<T>& stencil);

}  // namespace stencil

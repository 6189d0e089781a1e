#pragma once

#include <string_view>

#include "kernels/cpu/row_kernels.hpp"

namespace stencil::cpu {

enum class VectorExtension { baseline, avx2, avx512 };

/// The widest extension of this processor, or the one that the environment variable STENCIL_SIMD
/// names. Every call reads the variable again.
///
/// @throws WordsError  STENCIL_SIMD is not an extension, or one that this processor does not have.
VectorExtension vector_extension();

/// How transforms that outgrow the second-level cache meet memory.
enum class LongTransforms {
  /// Results go to a buffer, and from there past the caches while the next pair is transformed.
  by_caches,
  /// Results are written directly to their final place, which is not prefetched, and
  /// FftTables::past_caches.
  past_caches,
};

/// The faster choice on this processor: past the caches on AMD processors (1.05 to 1.3 times as
/// fast), through the caches on Intel processors (up to 1.5 times;
/// docs/measurements/transforms.md).
LongTransforms long_transforms();

std::string_view to_string(VectorExtension extension);

/// The inner loops compiled for an extension. @pre the processor has it
template <class T>
const RowKernels<T>& row_kernels(VectorExtension extension);

}  // namespace stencil::cpu

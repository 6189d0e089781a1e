#pragma once

#include <string_view>

#include "kernels/cpu/row_kernels.hpp"

namespace stencil::cpu {

enum class VectorExtension { baseline, avx2, avx512 };

/// Returns the widest extension of this processor, or the extension that the environment variable
/// STENCIL_SIMD names. Every call reads the variable again.
///
/// @throws WordsError  STENCIL_SIMD does not name an extension, or names one that this processor
///                     does not have
VectorExtension vector_extension();

/// Cache use of transforms that are larger than the second-level cache.
enum class LongTransforms {
  /// Results are written to a buffer, and copied from there with streaming stores while the next
  /// pair is transformed.
  by_caches,
  /// Results are written directly to the target, which is not prefetched, and
  /// FftTables::past_caches is set.
  past_caches,
};

/// Returns the faster choice on this processor: past_caches on AMD processors (1.05 to 1.3 times as
/// fast), by_caches on Intel processors (up to 1.5 times as fast; docs/measurements/transforms.md).
LongTransforms long_transforms();

std::string_view to_string(VectorExtension extension);

/// Returns the inner loops compiled for an extension.
/// @pre the processor has the extension
template <class T>
const RowKernels<T>& row_kernels(VectorExtension extension);

}  // namespace stencil::cpu

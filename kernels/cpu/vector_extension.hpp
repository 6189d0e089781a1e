#pragma once

#include <string_view>

#include "kernels/cpu/row_kernels.hpp"

namespace stencil::cpu {

enum class VectorExtension { baseline, avx2, avx512 };

/// The widest extension of this processor, or the one that the environment variable STENCIL_SIMD
/// names; looked up anew in every call.
///
/// @throws WordsError  STENCIL_SIMD is no extension, or one that this processor does not have.
VectorExtension vector_extension();

std::string_view to_string(VectorExtension extension);

/// The inner loops compiled for an extension. @pre the processor has it
template <class T>
const RowKernels<T>& row_kernels(VectorExtension extension);

}  // namespace stencil::cpu

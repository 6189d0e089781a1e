#pragma once

#include <optional>

#include "kernels/cuda/production/choice_by_sides.hpp"

namespace stencil::cuda {

/// Returns the arguments of a sweep over a large grid between views with the alignment of a Field.
/// They are used to choose a kernel before any views exist.
template <class T>
KernelArguments<T> sweep_in_fields(const Stencil<T>& stencil);

/// Returns the kernel that is expected to be the fastest, or `generic` where kernels cannot be
/// compiled. The choice does not change the bits of the results.
///
/// @throws WordsError  STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
Choice<T> choose(const KernelArguments<T>& arguments, const Stencil<T>& stencil);

/// Returns the given stencil without treatment of missing points, if there is a specialized kernel
/// for the returned stencil but not for the given one. The results of the returned stencil are
/// right unless they are NaN.
template <class T>
std::optional<Stencil<T>> plain_first(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil);

}  // namespace stencil::cuda

#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Like column_walk (column_walk.hpp), for a sum of several separable terms; each term has a ring
/// of row sums. Divides the outputs into pieces; see convolve_cpu for the arguments.
/// @pre the target has no extent of 0
template <class T>
void walk_sum_of_separables(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            FieldView<const T> source, FieldView<T> target);

}  // namespace stencil::cpu

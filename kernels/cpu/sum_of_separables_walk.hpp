#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// As column_walk (column_walk.hpp), for a sum of several separable terms; each term has a ring of
/// row sums. Divides the outputs into pieces itself; arguments as for convolve_cpu.
/// @pre the target has no extent of 0
template <class T>
void walk_sum_of_separables(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            FieldView<const T> source, FieldView<T> target);

}  // namespace stencil::cpu

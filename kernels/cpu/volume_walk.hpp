#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// The sum of convolve_cpu for a mask of several planes (Stencil::depth), direct or separable.
template <class T>
void walk_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target);

}  // namespace stencil::cpu

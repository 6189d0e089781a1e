#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// As walk_volume, over the valid points and rescaled (Stencil::min_valid). Where no point is
/// missing, outputs have the same bits as those of walk_volume.
template <class T>
void walk_valid_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                       FieldView<const T> source, FieldView<T> target);

}  // namespace stencil::cpu

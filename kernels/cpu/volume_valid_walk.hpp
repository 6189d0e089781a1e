#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Like walk_volume, but sums only over the valid points and rescales the sums
/// (Stencil::min_valid). Outputs without missing points have the same bits as with walk_volume.
template <class T>
void walk_valid_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                       FieldView<const T> source, FieldView<T> target);

}  // namespace stencil::cpu

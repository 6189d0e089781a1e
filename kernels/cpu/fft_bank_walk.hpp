#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save along x with several masks that have the same number of taps. Each pair of blocks
/// is transformed once for all masks. The outputs of each mask have the same bits as with walk_fft.
///
/// @param filters  the first filter has all tables, the others at least their spectra
/// @param source   see walk_fft
/// @param target   `[nb * filters, ny, nx]`; the outputs of all filters for one batch are adjacent
/// @pre the target has no extent of 0
template <class T>
void walk_fft_bank(const std::vector<Stencil<T>>& filters, const RowKernels<T>& kernels,
                   FieldView<const T> source, FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cpu

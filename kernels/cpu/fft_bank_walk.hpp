#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save along x with several masks that have the same number of taps: each pair of blocks
/// is transformed once for all of them. The outputs of each mask have the same bits as with
/// walk_fft.
///
/// @param filters  the first with all tables, the others with their spectra at least
/// @param source   as for walk_fft
/// @param target   `[nb * filters, ny, nx]`, the filters of a batch side by side
/// @pre the target has no extent of 0
template <class T>
void walk_fft_bank(const std::vector<Stencil<T>>& filters, const RowKernels<T>& kernels,
                   FieldView<const T> source, FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cpu

#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// The taps of a mask of three axes in the order of the sum, with their offsets from an output's
/// first input in a view of these pitches. Skipped taps are left out.
///
/// @param values  of the taps, `[depth, height, width]`
template <class T>
std::vector<Tap<T>> volume_taps(const Stencil<T>& stencil, const std::vector<T>& values,
                                Index batch_pitch, Index row_pitch);

/// The sum of convolve_cpu for a mask of several planes (Stencil::depth), tap by tap.
template <class T>
void walk_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target);

}  // namespace stencil::cpu

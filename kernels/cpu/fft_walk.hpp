#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save (FftBlocks) of pairs of blocks, RowKernels::fft_pairs at a time. Divides the
/// outputs into pieces; see convolve_cpu for the arguments.
///
/// @param long_ones  cache use of long transforms; it does not change the bits
/// @pre the target has no extent of 0
template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor,
              LongTransforms long_ones = long_transforms());

}  // namespace stencil::cpu

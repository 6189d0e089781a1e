#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save (FftBlocks) of pairs of blocks, RowKernels::fft_pairs of them at once. Divides the
/// outputs into pieces itself; arguments as for convolve_cpu.
///
/// @param long_ones  how long transforms use the caches; it does not change the bits
/// @pre the target has no extent of 0
template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor,
              LongTransforms long_ones = long_transforms());

}  // namespace stencil::cpu

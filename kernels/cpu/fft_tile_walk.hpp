#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save of a 2D mask in tiles (FftTiles); see convolve_cpu for the arguments.
/// @pre the target has no extent of 0
template <class T>
void walk_fft_tiles(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                    FieldView<const T> source, FieldView<T> target, const Anchor& anchor);

/// Number of elements of the temporary memory of one thread.
Index fft_tile_scratch(const FftTiles& tiles, bool renormalizes);

}  // namespace stencil::cpu

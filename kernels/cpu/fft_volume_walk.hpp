#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save of a mask of three axes; see convolve_cpu for the arguments. Every plane of inputs
/// is transformed once, tile by tile (FftTiles). The transform of a tile of outputs is a sum over
/// the planes of the mask: each plane's spectrum is multiplied by the transformed inputs under this
/// plane. So the bits of an output depend only on the inputs of its tile in the planes under the
/// mask.
///
/// Cells of a tile that depend on NaN or Inf are summed directly. If the transform of a tile
/// overflows, all of its cells are summed directly.
///
/// @pre the target has no extent of 0, and the stencil has no min_valid
template <class T>
void walk_fft_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                     FieldView<const T> source, FieldView<T> target, const Anchor& anchor);

/// Number of elements of the temporary memory of one thread.
Index fft_volume_scratch(const FftTiles& tiles, Index plane_stride);

}  // namespace stencil::cpu

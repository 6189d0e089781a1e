#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Overlap-save of a mask of three axes; arguments as convolve_cpu. Every plane of inputs is
/// transformed once, tile by tile (FftTiles). The transform of a tile of outputs is the sum over
/// the planes of the mask of spectrum times transformed inputs. So the bits of an output depend on
/// the inputs of its tile in the planes under the mask, and on nothing else along batch.
///
/// Where NaN and Inf reach the cells of a tile, they are summed directly, or all cells of a tile
/// that overflows.
///
/// @pre the target has no extent of 0, and missing points are not left out
template <class T>
void walk_fft_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                     FieldView<const T> source, FieldView<T> target, const Anchor& anchor);

/// Elements of temporary memory of one thread.
Index fft_volume_scratch(const FftTiles& tiles, Index plane_stride);

}  // namespace stencil::cpu

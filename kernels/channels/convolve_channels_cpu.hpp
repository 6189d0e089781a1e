#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {

/// Computes one view of outputs from one view of inputs that includes the ghost points. The batch
/// axis of both views consists of images and their channels, with channels as the fast index:
///
///     target(n * out + o, y, x) = sum_{c, j, i} M(o, c, j, i) *
///         source(n * channels + g * in + c, y * stride_y + j, x * stride_x + i)
///
/// with g = o / out_per_group().
///
/// @param source  extent at least `[images * channels, (ny - 1) * stride_y + height,
///                (nx - 1) * stride_x + width]`, every point valid (ghosts exchanged), any unit
/// @param target  `[images * out, ny, nx]`, does not overlap source; every point is written
///
/// Returns when all outputs are computed. Runs on the calling thread's OpenMP team.
/// @throws ShapeError    the numbers of channels of the views do not correspond to whole images
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor
template <class T>
void convolve_channels_cpu(const ChannelStencil<T>& stencil, FieldView<const T> source,
                           FieldView<T> target);

}  // namespace stencil

#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/divisor.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// The tiles (FftTiles) that contain the outputs of one view, along one axis. Positions are indices
/// of inputs, and of outputs before striding, relative to the first of these tiles.
struct TileAxis {
  long points, outputs;  ///< numbers of points and outputs of a tile
  long width;            ///< number of taps
  long lead;             ///< number of points of +0 before a tile's inputs
  long begin;            ///< index along the whole axis at which the first tile starts
  long inputs;           ///< number of inputs that exist; later inputs are replaced by +0
  Divisor count;         ///< number of tiles
  Divisor stride;
  long first_output, wanted;  ///< strided outputs of the view, by index along the whole axis
};

/// The tiles of a view along both axes, numbered with x as the fast axis, passed to kernels by
/// value.
template <class T>
struct TileViews {
  const T* source;
  T* target;
  long source_batch, source_row, target_batch, target_row;  ///< elements
  TileAxis y, x;
  long count;  ///< number of all tiles

  const T* taps;  ///< `[y.width, x.width]`, for outputs that are summed directly
  bool skip_zeros;
};

/// Makes the tiles of one view.
///
/// @param taps  taps of the stencil, in device memory
template <class T>
TileViews<T> make_tile_views(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cuda

#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/divisor.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// The tiles (FftTiles) that one view of outputs touches, along one axis. Positions count inputs,
/// and outputs before striding, from the first of these tiles on.
struct TileAxis {
  long points, outputs;  ///< of a tile
  long width;            ///< taps
  long lead;             ///< points of +0 ahead of a tile's inputs
  long begin;            ///< the first tile, counted along the whole axis
  long inputs;           ///< that exist; later ones are replaced by +0
  Divisor count;         ///< of the tiles
  Divisor stride;
  long first_output, wanted;  ///< strided outputs of the view, counted along the whole axis
};

/// Those tiles of a view, numbered with x as the fast axis, passed to kernels by value.
template <class T>
struct TileViews {
  const T* source;
  T* target;
  long source_batch, source_row, target_batch, target_row;  ///< elements
  TileAxis y, x;
  long count;  ///< of all tiles

  const T* taps;  ///< `[y.width, x.width]`, for outputs that are summed directly
  bool skip_zeros;
};

/// @param taps  the taps of the stencil, in device memory
template <class T>
TileViews<T> make_tile_views(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cuda

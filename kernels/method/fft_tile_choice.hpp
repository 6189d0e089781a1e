#pragma once

#include "kernels/fft/fft_tiles.hpp"

namespace stencil {

/// Sets the lead of the tiles with the lowest cost: none, or the lead that aligns their rows to
/// cache lines, so that rows that are pages apart are read faster.
FftTiles with_lead(FftTiles tiles, const FftTileWorld& world);

/// Tiles of least cost for a mask of `depth` planes of `height` x `width` taps; of several planes
/// with less than 64 MiB for the transforms of all planes, if there are such tiles.
///
/// @throws ShapeError  a mask too large for the largest tiles
FftTiles choose_fft_tiles(Index height, Index width, const FftTileWorld& world, Index depth = 1);

/// Returns the number of taps of a direct sum that takes as long as the transforms and their
/// tables, per output before striding.
double fft_cost_in_taps(const FftTiles& tiles, const FftTileWorld& world);

}  // namespace stencil

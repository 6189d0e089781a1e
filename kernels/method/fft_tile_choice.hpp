#pragma once

#include "kernels/fft/fft_tiles.hpp"

namespace stencil {

/// Returns the tiles with the better of two leads: 0, or the lead that aligns their rows to cache
/// lines. Aligned rows are read faster if they are pages apart.
FftTiles with_lead(FftTiles tiles, const FftTileWorld& world);

/// Returns the tiles with the lowest cost for a mask of `depth` planes of `height` x `width` taps.
/// If there are several planes, tiles for which the transforms of all planes take less than 64 MiB
/// are preferred.
///
/// @throws ShapeError  a mask too large for the largest tiles
FftTiles choose_fft_tiles(Index height, Index width, const FftTileWorld& world, Index depth = 1);

/// Returns the number of taps of a direct sum that takes as long as the transforms and their
/// tables, per output before striding.
double fft_cost_in_taps(const FftTiles& tiles, const FftTileWorld& world);

}  // namespace stencil

#pragma once

#include "kernels/fft/fft_tiles.hpp"

namespace stencil {

/// The same tiles with the lead of least cost: none, or the one that lays them on cache lines, by
/// which rows that lie pages apart are read faster.
FftTiles with_lead(FftTiles tiles, const FftTileWorld& world);

/// Tiles of least cost for a mask of `height` x `width` taps.
///
/// @throws ShapeError  a mask too large for the largest tiles
FftTiles choose_fft_tiles(Index height, Index width, const FftTileWorld& world);

/// Taps of a direct sum that take as long as the transforms and their tables, for one output before
/// striding.
double fft_cost_in_taps(const FftTiles& tiles, const FftTileWorld& world);

}  // namespace stencil

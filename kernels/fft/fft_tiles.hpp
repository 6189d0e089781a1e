#pragma once

#include <array>

#include "framework/grid/box.hpp"

namespace stencil {

/// How overlap-save divides one axis under a 2D mask into tiles, the same for every rank, piece of
/// work and processor. Outputs are numbered before striding, from output 0 of the whole axis: tile
/// q gives the outputs `[q L, (q + 1) L)` with `L = outputs()`, computed from `lead` zeros followed
/// by the inputs `[q L, q L + inputs())`. Inputs are numbered from the first one under output 0;
/// inputs after the last one that an output of the axis reads are replaced by +0.
struct FftTileAxis {
  Index points = 0;  ///< of a tile, a power of two
  Index width = 1;   ///< taps
  Index unit = 1;    ///< outputs of a tile are a multiple of it
  Index lead = 0;    ///< points of +0 ahead of a tile's inputs, under taps of 0 ahead of the mask's

  Index inputs() const { return points - lead; }
  Index outputs() const { return (inputs() - width + 1) / unit * unit; }
  /// Tiles that the outputs `[first, last)` of the strided axis lie in.
  Interval tiles(const Interval& outputs, Index stride) const;
  /// The inputs of the tiles that contain these outputs.
  /// @param axis_outputs  strided outputs of the whole axis
  Interval reads(const Interval& outputs, Index stride, Index axis_outputs) const;
};

/// Tiles of a 2D mask, or of every plane of a mask of three axes. The upper half of a tile is the
/// real part, the lower half the imaginary part of one complex transform of `[y.points / 2,
/// x.points]` points (FftTilePlan).
///
/// Example: 3 x 3 taps in tiles of 64 x 32 points have 62 x 16 outputs each.
struct FftTiles {
  FftTileAxis y, x;
  /// Whether every 64 bytes of a row of points are a cache line of inputs (FftTileWorld).
  bool on_lines = false;
  Index depth = 1;  ///< planes of the mask, each of which has a spectrum

  bool empty() const { return y.points == 0; }
  /// Complex points of a transform.
  Index points() const { return y.points / 2 * x.points; }
};

/// Outputs of a tile along x are a multiple of it, so that vectors of any width tile them.
inline constexpr Index fft_tile_unit = 16;
/// Outputs of a cell: whether NaN and Inf reach the outputs of a tile is recorded for each cell,
/// counted from the tile's first output.
inline constexpr Index fft_cell_rows = 32, fft_cell_columns = 64;
/// Fewest and most points along an axis.
inline constexpr Index least_fft_tile = 32;
inline constexpr Index most_fft_tile = Index{1} << 14;

/// Whether a mask is small enough for the largest tiles.
bool fits_fft_tiles(Index height, Index width);

/// The outputs of the whole world before striding.
struct FftTileWorld {
  std::array<Index, 2> outputs{};  ///< {y, x}
  Index batch = 1;                 ///< such grids
  Index element = 4;               ///< bytes of the compute type
  /// Under output 0 along x, counted from an input that begins a cache line (FieldLayout).
  Index first_input = 0;
};

}  // namespace stencil

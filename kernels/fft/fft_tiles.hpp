#pragma once

#include <array>

#include "framework/grid/box.hpp"

namespace stencil {

/// Division of one axis under a 2D mask into tiles for overlap-save. The division is the same for
/// every rank, piece of work and processor. Outputs are numbered before striding, from output 0 of
/// the whole axis. Tile q computes the outputs `[q L, (q + 1) L)` with `L = outputs()` from `lead`
/// zeros followed by the inputs `[q L, q L + inputs())`. Inputs are numbered from the first input
/// under output 0. Inputs after the last one that an output of the axis reads are replaced by +0.
struct FftTileAxis {
  Index points = 0;  ///< number of points of a tile, a power of two
  Index width = 1;   ///< number of taps
  Index unit = 1;    ///< the number of outputs of a tile is a multiple of this number
  /// Number of points of +0 before a tile's inputs; the mask has as many additional taps of 0
  /// before its first tap.
  Index lead = 0;

  Index inputs() const { return points - lead; }
  Index outputs() const { return (inputs() - width + 1) / unit * unit; }
  /// Returns the tiles that contain the outputs `[first, last)` of the strided axis.
  Interval tiles(const Interval& outputs, Index stride) const;
  /// Returns the inputs of the tiles that contain these outputs.
  /// @param axis_outputs  number of strided outputs of the whole axis
  Interval reads(const Interval& outputs, Index stride, Index axis_outputs) const;
};

/// Tiles of a 2D mask, or of every plane of a mask of three axes. One complex transform of
/// `[y.points / 2, x.points]` points (FftTilePlan) has the upper half of a tile as its real part,
/// and the lower half as its imaginary part.
///
/// Example: 3 x 3 taps in tiles of 64 x 32 points have 62 x 16 outputs each.
struct FftTiles {
  FftTileAxis y, x;
  /// Whether every 64 bytes of a row of points coincide with a cache line of inputs (FftTileWorld).
  bool on_lines = false;
  Index depth = 1;  ///< number of planes of the mask, each of which has a spectrum

  bool empty() const { return y.points == 0; }
  /// Number of complex points of a transform.
  Index points() const { return y.points / 2 * x.points; }
};

/// The number of outputs of a tile along x is a multiple of this number, so that it is a multiple
/// of the length of any vector.
inline constexpr Index fft_tile_unit = 16;
/// Numbers of rows and columns of outputs of a cell. Each tile is divided into cells from its first
/// output on, and one mark per cell records whether its outputs depend on NaN or Inf.
inline constexpr Index fft_cell_rows = 32, fft_cell_columns = 64;
/// Smallest and largest number of points along an axis.
inline constexpr Index least_fft_tile = 32;
inline constexpr Index most_fft_tile = Index{1} << 14;

/// Returns whether a mask is small enough for the largest tiles.
bool fits_fft_tiles(Index height, Index width);

/// The outputs of the whole world before striding.
struct FftTileWorld {
  std::array<Index, 2> outputs{};  ///< {y, x}
  Index batch = 1;                 ///< number of grids of this size
  Index element = 4;               ///< number of bytes of the compute type
  /// Index of the input under output 0 along x, relative to an input that begins a cache line
  /// (FieldLayout).
  Index first_input = 0;
};

}  // namespace stencil

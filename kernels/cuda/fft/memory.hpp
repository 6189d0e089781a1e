#pragma once

#include <algorithm>

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_tiles.hpp"

// Sizes of the device memory of transforms, used for allocation and for planning. This header does
// not depend on CUDA, because builds without CUDA use it, too.

namespace stencil::cuda {

/// Number of parts of the work that are computed concurrently if transforms go through device
/// memory.
inline constexpr int fft_lanes = 3;

/// Numbers of bytes of one transform, and of one line of a panel. Lines begin at multiples of 32
/// elements.
inline Index fft_transform_bytes(const FftBlocks& blocks, Index element) {
  return 2 * blocks.points * element;
}
inline Index fft_line_bytes(const FftBlocks& blocks, Index element) {
  return (blocks.reach() + 31) / 32 * 32 * element;
}

/// Number of pieces that are computed at the same time if transforms go through device memory:
/// enough to keep a large GPU busy for a while, and a multiple of the columns of a group.
///
/// @param in_memory  whether whole transforms go through device memory, and not only the columns
///                   that are copied to lines
inline Index fft_pieces_at_once(const FftBlocks& blocks, Index element, bool along_x,
                                bool in_memory) {
  constexpr Index part_bytes = Index{48} << 20;
  const Index bytes = std::max(along_x ? 1 : fft_line_bytes(blocks, element),
                               in_memory ? fft_transform_bytes(blocks, element) : 1);
  const Index pieces = std::clamp<Index>(part_bytes / bytes, 1, 1 << 15);
  return pieces >= 32 ? pieces / 32 * 32 : pieces;
}

/// Largest number of bytes of device memory for the transforms of a 1D mask, for any size of the
/// GPU's shared memory.
inline Index fft_device_bytes(const FftBlocks& blocks, Index element, bool along_x) {
  constexpr Index least_chip = 48 << 10, rounding = Index{16} << 20;
  const Index transform = fft_transform_bytes(blocks, element);
  const Index line = along_x ? 0 : fft_line_bytes(blocks, element);
  const auto pieces = [&](bool in_memory) {
    return fft_pieces_at_once(blocks, element, along_x, in_memory);
  };
  const Index in_memory = transform > least_chip ? pieces(true) * (line + transform) : 0;
  return 3 * transform + fft_lanes * std::max(pieces(false) * line, in_memory) + rounding;
}

/// Number of bytes of the transform of a tile.
inline Index fft_tile_points_bytes(const FftTiles& tiles, Index element) {
  return 2 * tiles.points() * element;
}
/// Number of sums in the table of the cells of a tile that depend on non-finite inputs: along each
/// axis one more than the number of cells.
inline Index fft_tile_cells(const FftTiles& tiles) {
  const auto sums = [](Index outputs, Index cell) { return (outputs + cell - 1) / cell + 1; };
  return sums(tiles.y.outputs(), fft_cell_rows) * sums(tiles.x.outputs(), fft_cell_columns);
}
/// Number of tiles that are computed at the same time if transforms go through device memory. The
/// tiles of all lanes fit into the cache of device memory, unless a single tile is too large.
inline Index fft_tiles_at_once(const FftTiles& tiles, Index element) {
  constexpr Index part_bytes = Index{12} << 20;
  return std::clamp<Index>(part_bytes / fft_tile_points_bytes(tiles, element), 1, 1 << 15);
}

/// Number of bytes for each tile that is marked as not finite: two numbers and the sums of its
/// cells. fft_tiles_marked is the number of tiles that can be marked before they are computed
/// again.
inline Index fft_tile_mark_bytes(const FftTiles& tiles) {
  return 4 * (2 + fft_tile_cells(tiles));
}
inline Index fft_tiles_marked(const FftTiles& tiles, Index element) {
  constexpr Index marks_bytes = Index{4} << 20;
  return std::max(fft_lanes * fft_tiles_at_once(tiles, element),
                  marks_bytes / fft_tile_mark_bytes(tiles));
}

/// Largest number of bytes of device memory for the transforms of a 2D mask.
inline Index fft_device_bytes(const FftTiles& tiles, Index element) {
  constexpr Index rounding = Index{16} << 20;
  return (2 + fft_lanes * fft_tiles_at_once(tiles, element)) *
             fft_tile_points_bytes(tiles, element) +
         fft_tiles_marked(tiles, element) * fft_tile_mark_bytes(tiles) + rounding;
}

}  // namespace stencil::cuda

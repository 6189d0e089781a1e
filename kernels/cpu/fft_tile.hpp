#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/fft/fft_sixteen.hpp"
#include "kernels/fft/fft_tiles.hpp"

namespace stencil::cpu {

/// The tables of FftTilePlan as pointers, for kernels that must not call functions of the standard
/// library.
template <class T>
struct FftTileTables {
  Index rows, columns;  ///< complex points of a transform
  const int *row_radices, *column_radices;
  const T *row_twiddles, *column_twiddles, *weights;
  const FftSixteen<T>* spectrum;
};

/// One tile: `[2 rows, columns]` points, and the outputs `[target_rows, target_columns]`, which may
/// overwrite the points. Each row begins with `lead` zeros that are not stored; the other points
/// begin at `source`.
template <class T>
struct FftTile {
  Index lead;  ///< fewer than fft_tile_unit
  const T* source;
  Index source_pitch;
  T* target;
  Index target_pitch;
  Index target_rows, target_columns;  ///< columns are a multiple of fft_tile_unit
};

/// A ring of transformed planes of inputs, from which the sums over the planes of a mask are
/// computed. The points are ordered by their position in the transform: for each position, the
/// points of slot 0, slot 1 and so on are adjacent.
template <class T>
struct FftTileRing {
  T* points;    ///< fft_tile_ring elements, aligned to 64 bytes
  Index slots;  ///< number of planes in the ring
};

/// Arguments of the sums over the planes of a mask, for several planes of outputs at once:
///
///     targets[r] = sum_k spectrum[k] * (plane of slot first + k + r * stride)
template <class T>
struct FftTileSums {
  FftTileRing<T> ring;
  Index first;  ///< slot of the first plane of inputs
  Index depth, stride;
  int count;          ///< number of planes of outputs, at most most_tile_sums
  T* const* targets;  ///< `2 * rows * columns` elements each, aligned to 64 bytes
};

/// Largest number of planes of outputs that sum_tiles computes at once.
inline constexpr int most_tile_sums = 4;

inline Index fft_tile_ring(Index rows, Index columns, Index slots) {
  return checked_multiply(2 * rows * columns, slots);
}

/// Number of elements of the memory in which a tile is transformed: a group of columns, all
/// columns, and the first columns with their lead. The last row of the memory may be written beyond
/// its end.
inline Index fft_tile_memory(Index rows, Index columns) {
  return 2 * rows * (columns + 2 * fft_tile_unit) + fft_tile_unit;
}

}  // namespace stencil::cpu

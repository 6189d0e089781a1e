#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/fft_sixteen.hpp"
#include "kernels/fft_tiles.hpp"

namespace stencil::cpu {

/// The tables of FftTilePlan as plain pointers, for kernels that may call no function of the
/// standard library.
template <class T>
struct FftTileTables {
  Index rows, columns;  ///< complex points of a transform
  const int *row_radices, *column_radices;
  const T *row_twiddles, *column_twiddles, *weights;
  const FftSixteen<T>* spectrum;
};

/// One tile: `[2 rows, columns]` inputs, and the outputs `[target_rows, target_columns]`, which may
/// overwrite the inputs.
template <class T>
struct FftTile {
  const T* source;
  Index source_pitch;
  T* target;
  Index target_pitch;
  Index target_rows, target_columns;  ///< columns are a multiple of fft_tile_unit
};

/// Elements of the memory in which a tile is transformed, the first of them those of a group of
/// columns.
inline Index fft_tile_memory(Index rows, Index columns) {
  return 2 * rows * (columns + fft_tile_unit);
}

}  // namespace stencil::cpu

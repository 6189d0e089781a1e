#pragma once

#include "kernels/cuda/fft/tile_tables.hpp"
#include "kernels/cuda/fft/tile_views.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Tiles of one view that are taken at once, and memory for what lies between their passes.
template <class T>
struct TileBatch {
  long first, count;
  Complex<T>* scratch;        ///< `[count, rows, columns]`
  unsigned *bad, *overflows;  ///< `[count]`
  int* cells;                 ///< `[count, cells]`
  long cells_of_tile;
};

/// Whether shared memory of the current GPU has room for a tile.
///
/// @throws MachineError  the GPU cannot be asked; likewise below
template <class T>
bool fits_fft_tile(const TileTables<T>& tables);

/// Whether it has room for a column of one.
template <class T>
bool fits_fft_tile_column(const TileTables<T>& tables);

/// Overlap-save of all tiles of a view, each of which stays in shared memory from its inputs to its
/// outputs. @pre fits_fft_tile
///
/// @throws MachineError  the launch failed; likewise below
template <class T>
void launch_fft_tiles_on_chip(const TileTables<T>& tables, const TileViews<T>& views,
                              CUstream_st* stream);

/// Overlap-save of some tiles: columns, rows and columns again, by way of device memory, or of the
/// cache before it. @pre fits_fft_tile_column
template <class T>
void launch_fft_tiles_in_memory(const TileTables<T>& tables, const TileViews<T>& views,
                                const TileBatch<T>& batch, CUstream_st* stream);

}  // namespace stencil::cuda

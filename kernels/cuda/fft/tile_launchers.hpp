#pragma once

#include "kernels/cuda/fft/tile_tables.hpp"
#include "kernels/cuda/fft/tile_views.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// The tiles of a view whose results are not finite, and their cells that depend on inputs that are
/// not finite, in device memory.
struct TileMarks {
  long first, most;  ///< tiles that are marked: this one and those after it
  unsigned* marked;  ///< `[most]`: 1 or 0
  int *count, *bad;  ///< how many are marked, and which, in any order: `[most]`
  int* cells;        ///< `[most, cells_of_tile]`, in their order
  long cells_of_tile;
};

/// Whether shared memory of the current GPU has room for a tile.
///
/// @throws MachineError  the GPU cannot be queried; likewise below
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

/// Overlap-save of the tiles [first, first + count): columns, rows and columns again, through
/// device memory or its cache. Marks those whose results are not all finite.
/// @pre fits_fft_tile_column
///
/// @param scratch  `[count, rows, columns]`
template <class T>
void launch_fft_tiles_in_memory(const TileTables<T>& tables, const TileViews<T>& views, long first,
                                long count, Complex<T>* scratch, const TileMarks& marks,
                                CUstream_st* stream);

/// Computes marked tiles again with 0 for NaN and Inf. The outputs that NaN and Inf reach are
/// summed directly, or all outputs if the transform overflows.
///
/// @param scratch  `[slots, rows, columns]`
template <class T>
void launch_fft_tiles_mend(const TileTables<T>& tables, const TileViews<T>& views,
                           const TileMarks& marks, Complex<T>* scratch, int slots,
                           CUstream_st* stream);

}  // namespace stencil::cuda

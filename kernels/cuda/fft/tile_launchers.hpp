#pragma once

#include "kernels/cuda/fft/tile_tables.hpp"
#include "kernels/cuda/fft/tile_views.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// The marks, in device memory, of the tiles of a view whose results are not finite, and of their
/// cells that depend on non-finite inputs.
struct TileMarks {
  long first, most;  ///< tiles that can be marked: `most` tiles from `first` on
  unsigned* marked;  ///< `[most]`: 1 if the tile is marked, else 0
  int *count, *bad;  ///< number of marked tiles; their indices in any order: `[most]`
  int* cells;        ///< `[most, cells_of_tile]`, in the order of `bad`
  long cells_of_tile;
};

/// Returns whether a tile fits into the shared memory of the current GPU.
///
/// @throws MachineError  the GPU cannot be queried; fits_fft_tile_column throws it, too
template <class T>
bool fits_fft_tile(const TileTables<T>& tables);

/// Returns whether a column of a tile fits into the shared memory of the current GPU.
template <class T>
bool fits_fft_tile_column(const TileTables<T>& tables);

/// Overlap-save of all tiles of a view. Each tile stays in shared memory from its inputs to its
/// outputs.
/// @pre fits_fft_tile
///
/// @throws MachineError  the launch failed; the following functions throw it, too
template <class T>
void launch_fft_tiles_on_chip(const TileTables<T>& tables, const TileViews<T>& views,
                              CUstream_st* stream);

/// Overlap-save of the tiles [first, first + count). The columns, then the rows, then the columns
/// again are transformed; the results between these steps are in device memory or its cache. Marks
/// the tiles with results that are not finite.
/// @pre fits_fft_tile_column
///
/// @param scratch  memory for `[count, rows, columns]`
template <class T>
void launch_fft_tiles_in_memory(const TileTables<T>& tables, const TileViews<T>& views, long first,
                                long count, Complex<T>* scratch, const TileMarks& marks,
                                CUstream_st* stream);

/// Computes marked tiles again, with NaN and Inf replaced by 0. The outputs that depend on NaN and
/// Inf are then summed directly, or all outputs if the transform overflows.
///
/// @param scratch  memory for `[slots, rows, columns]`
template <class T>
void launch_fft_tiles_mend(const TileTables<T>& tables, const TileViews<T>& views,
                           const TileMarks& marks, Complex<T>* scratch, int slots,
                           CUstream_st* stream);

}  // namespace stencil::cuda

#pragma once

#include "kernels/cuda/fft/pieces.hpp"
#include "kernels/cuda/fft/tables.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Returns log2 of the number of points, in all sequences together, of the largest transform that
/// fits into the shared memory of the current GPU: at most log2(16384) in float32, log2(8192) in
/// float64.
///
/// @throws MachineError  the GPU cannot be queried
template <class T>
int log_points_on_chip();

/// Returns whether shared memory can hold the transforms of as many adjacent columns as fill a
/// sector of device memory in each row.
template <class T>
bool fits_fft_columns(int log_points);

/// Overlap-save of the pieces [first, first + count) by transforms that fit into shared memory. The
/// pieces are rows, or columns that have been copied to lines of a panel.
///
/// @throws MachineError  the launch failed; the following functions throw it, too
template <class T>
void launch_fft_lines(const FftTables<T>& fft, const FftPieces<T>& pieces, long first, long count,
                      CUstream_st* stream);

/// Like launch_fft_lines, for all pieces of a view at once. The pieces are columns that have not
/// been copied to a panel.
/// @pre fits_fft_columns
template <class T>
void launch_fft_columns(const FftTables<T>& fft, const FftPieces<T>& pieces, CUstream_st* stream);

/// Like launch_fft_lines, for longer transforms: the first passes go through device memory, until
/// the remaining parts fit into shared memory.
///
/// @param scratch  memory for `[count, points]`
/// @param bad      memory for `[count]`
template <class T>
void launch_fft_in_memory(const FftTables<T>& fft, const FftPieces<T>& pieces, long first,
                          long count, Complex<T>* scratch, unsigned* bad, CUstream_st* stream);

/// Copies the inputs of `count` pieces from columns to lines of the panel, or the outputs from the
/// panel to their columns.
template <class T>
void launch_fft_fill_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream);
template <class T>
void launch_fft_empty_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream);

}  // namespace stencil::cuda

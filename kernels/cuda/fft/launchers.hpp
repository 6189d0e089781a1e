#pragma once

#include "kernels/cuda/fft/pieces.hpp"
#include "kernels/cuda/fft/tables.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Largest transform, in points of all sequences, that fits into shared memory of the current GPU,
/// as a power of two; at most 16384 in float32, 8192 in float64.
///
/// @throws MachineError  the GPU cannot be queried
template <class T>
int log_points_on_chip();

/// Whether shared memory has room for transforms of so many columns that they fill sectors of
/// device memory.
template <class T>
bool fits_fft_columns(int log_points);

/// Overlap-save of the pieces [first, first + count) by transforms that fit into shared memory:
/// rows, or columns that are lines of a panel.
///
/// @throws MachineError  the launch failed; likewise below
template <class T>
void launch_fft_lines(const FftTables<T>& fft, const FftPieces<T>& pieces, long first, long count,
                      CUstream_st* stream);

/// Like launch_fft_lines, for all pieces at once, if they are columns and not lines of a panel.
/// @pre fits_fft_columns
template <class T>
void launch_fft_columns(const FftTables<T>& fft, const FftPieces<T>& pieces, CUstream_st* stream);

/// Like launch_fft_lines, for longer transforms: pass after pass through device memory until the
/// remaining parts fit.
///
/// @param scratch  `[count, points]`
/// @param bad      `[count]`
template <class T>
void launch_fft_in_memory(const FftTables<T>& fft, const FftPieces<T>& pieces, long first,
                          long count, Complex<T>* scratch, unsigned* bad, CUstream_st* stream);

/// Columns to lines of the panel, and outputs from there to their columns, of `count` pieces.
template <class T>
void launch_fft_fill_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream);
template <class T>
void launch_fft_empty_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream);

}  // namespace stencil::cuda

#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/fft/tile_ends.cuh"
#include "kernels/cuda/fft/tile_launchers.hpp"
#include "kernels/cuda/fft/tile_passes.cuh"

namespace stencil::cuda {

/// Largest number of threads of a block. It determines the registers of a thread: 64 in float32,
/// 128 in float64.
template <class T>
inline constexpr int most_tile_threads = sizeof(T) == 4 ? 1024 : 512;

/// Returns the number of complex numbers from one row of shared memory to the next. It is odd, so
/// that threads in different rows use different banks.
__host__ __device__ constexpr int row_pitch(int columns) {
  return columns | 1;
}

template <class T>
__device__ __forceinline__ Complex<T>* shared_points() {
  extern __shared__ __align__(16) unsigned char shared[];
  return reinterpret_cast<Complex<T>*>(shared);
}

/// Convolves a whole tile, by a block of threads.
///
/// @param points  `[rows, columns]`; rows are `pitch` numbers apart
template <class T>
__device__ __forceinline__ void convolve_tile(const TileTables<T>& tables, Complex<T>* points,
                                              int pitch, TileEnds<T>& ends) {
  const auto outer = [&](int n) { return ends.column(n); };
  const auto column = [&](int n) { return TilePoints<T>{points + n, pitch}; };
  const auto row = [&](int n) { return TilePoints<T>{points + n * pitch, 1}; };
  transform_columns(tables.y, tables.x.log_points, outer, column, column);
  __syncthreads();
  convolve_rows(tables.x, tables.y.log_points, tables.spectrum, tables.rows, row, row, row);
  __syncthreads();
  restore_columns(tables.y, tables.x.log_points, column, column, outer);
}

/// Largest number of sums of cells (see fft_tile_cells) of a tile that fits into shared memory.
inline constexpr int most_cells_on_chip = 256;

/// @param cells  memory for the table of TileEnds::count_reach, which is filled
template <class T>
__device__ void convolve_bad_tile(const TileTables<T>& tables, const TileViews<T>& views,
                                  long number, Complex<T>* points, int pitch, int* cells) {
  TileEnds<T> ends(tables, views, number, true);
  ends.count_reach(cells);
  convolve_tile(tables, points, pitch, ends);
  if (__syncthreads_or(ends.is_bad())) ends.reach_all(cells);
}

template <class T>
__global__ void __launch_bounds__(most_tile_threads<T>)
    convolve_tiles(const TileTables<T> tables, const __grid_constant__ TileViews<T> views) {
  const int pitch = row_pitch(tables.columns);
  Complex<T>* const points = shared_points<T>();
  TileEnds<T> ends(tables, views, blockIdx.x, false);
  convolve_tile(tables, points, pitch, ends);
  if (!__syncthreads_or(ends.is_bad())) return;
  __shared__ int cells[most_cells_on_chip];
  convolve_bad_tile(tables, views, blockIdx.x, points, pitch, cells);
  __syncthreads();
  ends.sum_directly(cells, threadIdx.x, blockDim.x);
}

// Kernels for tiles that are larger than shared memory. A tile is kept in device memory between the
// three launches of these kernels. blockIdx.x is the number of a group of columns or rows, and
// blockIdx.y is the number of a tile, counted from `first_tile`.

template <class T>
__global__ void __launch_bounds__(most_tile_threads<T>)
    transform_tile_columns(const TileTables<T> tables, const __grid_constant__ TileViews<T> views,
                           const long first_tile, Complex<T>* scratch, const int log_group) {
  TileEnds<T> ends(tables, views, first_tile + blockIdx.y, false);
  const int first = blockIdx.x << log_group, columns = tables.columns;
  Complex<T>* const points = shared_points<T>();
  Complex<T>* const tile = scratch + long(blockIdx.y) * tables.rows * columns + first;
  transform_columns(
      tables.y, log_group, [&](int n) { return ends.column(first + n); },
      [&](int n) {
        return TilePoints<T>{points + n, row_pitch(1 << log_group)};
      },
      [&](int n) {
        return TilePoints<T>{tile + n, columns};
      });
}

/// @param in_legs  true if shared memory cannot hold a whole row, but can hold each of the parts
///                 that remain after the first pass
template <class T>
__global__ void __launch_bounds__(most_tile_threads<T>)
    convolve_tile_rows(const TileTables<T> tables, Complex<T>* scratch, const int log_group,
                       const bool in_legs) {
  const int first = blockIdx.x << log_group, rows = tables.rows, columns = tables.columns;
  Complex<T>* const points = shared_points<T>();
  Complex<T>* const tile = scratch + (long(blockIdx.y) * rows + first) * columns;
  const auto outer = [&](int n) { return TilePoints<T>{tile + n * columns, 1}; };
  if (!in_legs) {
    const int pitch = row_pitch(columns);
    const auto row = [&](int n) { return TilePoints<T>{points + n * pitch, 1}; };
    return convolve_rows(tables.x, log_group, tables.spectrum + first, rows, outer, row, outer);
  }
  // one row: the first pass is computed in device memory, then the parts one after the other
  TilePass<T> pass(tables.x);
  pass.template forward<Neighbours::units>(0, outer, outer);
  TilePass<T> rest = pass;
  rest.advance();
  const AxisPasses<T> leg = rest.passes();
  const auto row = [&](int) { return TilePoints<T>{points, 1}; };
  for (int at = 0; at < columns; at += 1 << leg.log_points) {
    __syncthreads();
    const auto part = [&](int) { return TilePoints<T>{tile + at, 1}; };
    convolve_rows(leg, 0, tables.spectrum + first + long(at) * rows, rows, part, row, part);
  }
  __syncthreads();
  pass.template inverse<Neighbours::units>(0, outer, outer);
}

template <class T>
__global__ void __launch_bounds__(most_tile_threads<T>)
    restore_tile_columns(const TileTables<T> tables, const __grid_constant__ TileViews<T> views,
                         const long first_tile, Complex<T>* scratch, const int log_group,
                         const TileMarks marks) {
  const long number = first_tile + blockIdx.y;
  TileEnds<T> ends(tables, views, number, false);
  const int first = blockIdx.x << log_group, columns = tables.columns;
  Complex<T>* const points = shared_points<T>();
  Complex<T>* const tile = scratch + long(blockIdx.y) * tables.rows * columns + first;
  restore_columns(
      tables.y, log_group,
      [&](int n) {
        return TilePoints<T>{tile + n, columns};
      },
      [&](int n) {
        return TilePoints<T>{points + n, row_pitch(1 << log_group)};
      },
      [&](int n) { return ends.column(first + n); });
  const int mark = int(number - marks.first);
  if (ends.is_bad() && atomicExch(marks.marked + mark, 1u) == 0)
    marks.bad[atomicAdd(marks.count, 1)] = mark;
}

/// Convolves marked tiles, each by one block of threads.
template <class T>
__global__ void __launch_bounds__(most_tile_threads<T>)
    convolve_marked_tiles(const TileTables<T> tables, const __grid_constant__ TileViews<T> views,
                          const TileMarks marks, Complex<T>* scratch) {
  Complex<T>* const points = scratch + long(blockIdx.x) * tables.rows * tables.columns;
  for (int k = blockIdx.x; k < *marks.count; k += gridDim.x) {
    __syncthreads();
    convolve_bad_tile(tables, views, marks.first + marks.bad[k], points, tables.columns,
                      marks.cells + k * marks.cells_of_tile);
  }
}

/// Sums the outputs of the marked tiles directly. All threads share the outputs of each tile.
template <class T>
__global__ void sum_marked_tiles(const TileTables<T> tables,
                                 const __grid_constant__ TileViews<T> views,
                                 const TileMarks marks) {
  const long thread = long(blockIdx.x) * blockDim.x + threadIdx.x;
  for (int k = 0; k < *marks.count; ++k) {
    const TileEnds<T> ends(tables, views, marks.first + marks.bad[k], false);
    ends.sum_directly(marks.cells + k * marks.cells_of_tile, thread, long(gridDim.x) * blockDim.x);
  }
}

template <class T>
std::size_t bytes_of_points(long points) {
  return std::size_t(points) * sizeof(Complex<T>);
}
template <class T>
std::size_t bytes_of_tile(const TileTables<T>& tables) {
  return bytes_of_points<T>(long(tables.rows) * row_pitch(tables.columns));
}

/// Returns log2 of the number of columns or rows that a block of threads processes. It is at most
/// `log_most` if several such blocks fit on a multiprocessor, and at most `log_worth_it` if only
/// one fits.
///
/// @param bytes_of  returns the bytes of a group of a given number of columns or rows
template <class BytesOf>
int log_group(int log_most, int log_worth_it, const BytesOf& bytes_of) {
  const std::size_t most = most_shared_bytes();
  int log_group = log_most;
  while (log_group > 0 && bytes_of(1 << log_group) > (log_group > log_worth_it ? most / 2 : most))
    --log_group;
  return log_group;
}

/// Returns the binary logarithm of the number of columns of a group. In a row of points, a group
/// has at least one sector of 32 bytes and at most 256 bytes.
template <class T>
int log_columns_of(const TileTables<T>& tables) {
  constexpr int log_sector = sizeof(T) == 4 ? 3 : 2;
  return log_group(log_sector + 2, log_sector, [&](int columns) {
    return bytes_of_points<T>(long(tables.rows) * row_pitch(columns));
  });
}
template <class T>
int log_rows_of(const TileTables<T>& tables) {
  constexpr int log_banks = sizeof(T) == 4 ? 4 : 3;
  return std::min(tables.y.log_points, log_group(log_banks, log_banks, [&](int rows) {
                    return bytes_of_points<T>(long(rows) * row_pitch(tables.columns));
                  }));
}

/// Allows a kernel `bytes` bytes of shared memory.
/// @returns the number of threads of a block
template <class T, class Kernel>
int threads_with(Kernel kernel, std::size_t bytes, long points) {
  check(allow_shared_bytes(reinterpret_cast<const void*>(kernel), bytes),
        "shared memory of tiles of an fft");
  // if several blocks fit, each has half of the threads, and one computes while others wait
  const int most = most_tile_threads<T> / (bytes <= most_shared_bytes() / 2 ? 2 : 1);
  return int(std::clamp<long>(points / 8, 32, most));
}

template <class T>
bool fits_fft_tile(const TileTables<T>& tables) {
  return bytes_of_tile(tables) + most_cells_on_chip * sizeof(int) <= most_shared_bytes();
}
template <class T>
bool fits_fft_tile_column(const TileTables<T>& tables) {
  return bytes_of_points<T>(tables.rows) <= most_shared_bytes();
}

template <class T>
void launch_fft_tiles_on_chip(const TileTables<T>& tables, const TileViews<T>& views,
                              CUstream_st* stream) {
  const std::size_t bytes = bytes_of_tile(tables);
  const int threads = threads_with<T>(convolve_tiles<T>, bytes, long(tables.rows) * tables.columns);
  convolve_tiles<T><<<unsigned(views.count), threads, bytes, stream>>>(tables, views);
  check_launch("tiles of an fft");
}

template <class T>
void launch_fft_tiles_in_memory(const TileTables<T>& tables, const TileViews<T>& views, long first,
                                long count, Complex<T>* scratch, const TileMarks& marks,
                                CUstream_st* stream) {
  const unsigned tiles = unsigned(count);
  const int columns = log_columns_of(tables), in_group = 1 << columns;
  const std::size_t bytes = bytes_of_points<T>(long(tables.rows) * row_pitch(in_group));
  const long points = long(tables.rows) << columns;
  const dim3 all(unsigned(tables.columns >> columns), tiles),
      wanted(unsigned((views.x.outputs + in_group - 1) >> columns), tiles);
  const int forth = threads_with<T>(transform_tile_columns<T>, bytes, points);
  transform_tile_columns<T><<<all, forth, bytes, stream>>>(tables, views, first, scratch, columns);
  check_launch("columns of tiles");

  const int rows = log_rows_of(tables);
  const std::size_t whole = bytes_of_points<T>(long(row_pitch(tables.columns)) << rows);
  const bool in_legs = whole > most_shared_bytes();
  const std::size_t own = in_legs ? whole / (tables.x.fours > 0 ? 4 : 8) : whole;
  const int across = threads_with<T>(convolve_tile_rows<T>, own, long(tables.columns) << rows);
  convolve_tile_rows<T><<<dim3(unsigned(tables.rows >> rows), tiles), across, own, stream>>>(
      tables, scratch, rows, in_legs);
  check_launch("rows of tiles");

  const int back = threads_with<T>(restore_tile_columns<T>, bytes, points);
  restore_tile_columns<T>
      <<<wanted, back, bytes, stream>>>(tables, views, first, scratch, columns, marks);
  check_launch("columns of tiles");
}

template <class T>
void launch_fft_tiles_mend(const TileTables<T>& tables, const TileViews<T>& views,
                           const TileMarks& marks, Complex<T>* scratch, int slots,
                           CUstream_st* stream) {
  const int many = multiprocessors();
  convolve_marked_tiles<T><<<unsigned(std::min(slots, many)), most_tile_threads<T>, 0, stream>>>(
      tables, views, marks, scratch);
  check_launch("bad tiles");
  sum_marked_tiles<T><<<unsigned(4 * many), 256, 0, stream>>>(tables, views, marks);
  check_launch("direct sums of bad tiles");
}

}  // namespace stencil::cuda

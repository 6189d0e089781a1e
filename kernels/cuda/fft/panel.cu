#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/fft/launchers.hpp"
#include "kernels/cuda/fft/pair_ends.cuh"

// Tiles of 32 pieces x 128 positions are transposed in shared memory, so that both columns and
// lines are accessed in runs of adjacent elements. One thread computes the addresses of a piece for
// all threads.

namespace stencil::cuda {
namespace {

constexpr int tile_pieces = 32, tile_positions = 128, rows_of_threads = 8;

template <class T>
struct PanelTile {
  T points[tile_positions][tile_pieces + 1];
};

__host__ __device__ inline unsigned tiles_across(long pieces) {
  return unsigned((pieces + tile_pieces - 1) / tile_pieces);
}
unsigned tiles_of(long pieces, long positions) {
  return tiles_across(pieces) * unsigned((positions + tile_positions - 1) / tile_positions);
}

template <class T>
__global__ void __launch_bounds__(32 * rows_of_threads)
    fill_panel(const __grid_constant__ FftPieces<T> all, const long count) {
  __shared__ PanelTile<T> tile;
  __shared__ const T* columns[tile_pieces];
  __shared__ int ends[tile_pieces];  // number of positions that exist in this tile
  const unsigned across = tiles_across(count);
  const long first = long(blockIdx.x % across) * tile_pieces,
             positions = long(blockIdx.x / across) * tile_positions;
  const int lane = threadIdx.x, row = threadIdx.y;
  if (row == 0) {
    ends[lane] = 0;
    if (first + lane < count) {
      const PiecePlace place(all, all.panel_first + first + lane);
      columns[lane] = place.input(all) + positions * all.source_along;
      ends[lane] = int(max(0L, min(long(tile_positions), place.inputs(all) - positions)));
    }
  }
  __syncthreads();
  const T* from = columns[lane] + row * all.source_along;
  const long step = rows_of_threads * all.source_along;
  const int end = ends[lane];
#pragma unroll
  for (int k = row; k < tile_positions; k += rows_of_threads, from += step)
    if (k < end) tile.points[k][lane] = __ldcs(from);
  __syncthreads();
  T* to = all.panel + (first + row) * all.panel_pitch + positions;
#pragma unroll
  for (int piece = row; piece < tile_pieces; piece += rows_of_threads) {
#pragma unroll
    for (int k = lane; k < tile_positions; k += 32)
      if (k < ends[piece]) to[k] = tile.points[k][piece];
    to += rows_of_threads * all.panel_pitch;
  }
}

/// A position is the index of a strided output of a piece, relative to the first requested output.
template <class T>
__global__ void __launch_bounds__(32 * rows_of_threads)
    empty_panel(const __grid_constant__ FftPieces<T> all, const long count) {
  __shared__ PanelTile<T> tile;
  __shared__ const T* lines[tile_pieces];
  __shared__ T* columns[tile_pieces];
  __shared__ int ends[tile_pieces];
  const unsigned across = tiles_across(count);
  const long first = long(blockIdx.x % across) * tile_pieces,
             positions = long(blockIdx.x / across) * tile_positions;
  const int lane = threadIdx.x, row = threadIdx.y;
  if (row == 0) {
    ends[lane] = 0;
    if (first + lane < count) {
      const PiecePlace place(all, all.panel_first + first + lane);
      const long o = place.first(all) + positions;
      lines[lane] =
          all.panel + (first + lane) * all.panel_pitch + (o * all.stride.by - place.begin(all));
      columns[lane] = place.output(all) + o * all.target_along;
      ends[lane] = int(max(0L, min(long(tile_positions), place.last(all) - o)));
    }
  }
  __syncthreads();
#pragma unroll
  for (int piece = row; piece < tile_pieces; piece += rows_of_threads)
#pragma unroll
    for (int k = lane; k < tile_positions; k += 32)
      if (k < ends[piece]) tile.points[k][piece] = lines[piece][k * all.stride.by];
  __syncthreads();
  T* to = columns[lane] + row * all.target_along;
  const long step = rows_of_threads * all.target_along;
  const int end = ends[lane];
#pragma unroll
  for (int k = row; k < tile_positions; k += rows_of_threads, to += step)
    if (k < end) __stcs(to, tile.points[k][lane]);
}

}  // namespace

template <class T>
void launch_fft_fill_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream) {
  const dim3 threads(32, rows_of_threads);
  fill_panel<T><<<tiles_of(count, pieces.reach), threads, 0, stream>>>(pieces, count);
  check_launch("panel of columns");
}

template <class T>
void launch_fft_empty_panel(const FftPieces<T>& pieces, long count, CUstream_st* stream) {
  const long most = (2 * pieces.block + pieces.stride.by - 1) / pieces.stride.by;
  const dim3 threads(32, rows_of_threads);
  empty_panel<T><<<tiles_of(count, most), threads, 0, stream>>>(pieces, count);
  check_launch("columns of a panel");
}

template void launch_fft_fill_panel(const FftPieces<float>&, long, CUstream_st*);
template void launch_fft_fill_panel(const FftPieces<double>&, long, CUstream_st*);
template void launch_fft_empty_panel(const FftPieces<float>&, long, CUstream_st*);
template void launch_fft_empty_panel(const FftPieces<double>&, long, CUstream_st*);

}  // namespace stencil::cuda

// Both passes of a separable mask over one tile. The row sums overwrite their inputs in shared
// memory, and the column sums are computed from them. Thus every point, except for the halo, is
// read once and written once.
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <vector>

#include "kernels/cuda/production/grid_size.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int row_chunks = 3;  // chunks of one thread in the row pass; odd, to avoid bank conflicts
constexpr int blocks = 4;      // number of blocks that should fit on a multiprocessor

/// Replaces the inputs of `rows` rows by their row sums.
template <class Shape, int width, int row_lanes, class T>
__device__ __forceinline__ void sum_rows_in_place(T* inputs, const T* taps, int rows) {
  constexpr int n = chunk<T>, at_once = 32 / row_lanes;
  const int lane = threadIdx.x % 32, line = lane / row_lanes;
  const int step = int(blockDim.x) / row_lanes;
  for (int row = int(threadIdx.x) / 32 * at_once; row < rows; row += step) {
    const bool inside = row + line < rows;
    T* const at = inputs + (row + line) * Shape::pitch + lane % row_lanes * (row_chunks * n);
    T sum[row_chunks * n];
    if (inside) line_sums<width, Shape::sub>(at, taps, sum);
    __syncwarp();  // all threads of a row have read the inputs that the sums overwrite
    if (inside) {
#pragma unroll
      for (int c = 0; c < row_chunks; ++c) put_chunk(at + c * n, sum + c * n);
    }
  }
}

/// @tparam chunks, rows  number of chunks of columns, and number of rows, of a tile
/// @tparam outputs       rows of one thread in the column pass
template <class T, int height, int width, int chunks, int rows, int threads, int outputs>
__global__ void __launch_bounds__(threads, blocks)
    tile_separable(const __grid_constant__ KernelArguments<T> arguments,
                   const __grid_constant__ TilePlace place,
                   const __grid_constant__ ConstantTaps<T, height + width> taps) {
  using Shape = TileShape<T, width, chunks * chunk<T>>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const Tile<T> tile(arguments, place, chunks * chunk<T>, rows);
  const int input_rows = tile.end + height - 1;
  tile.load(Shape{}, input_rows, width, inputs, inputs + (rows + height - 1) * Shape::pitch);
  sum_rows_in_place<Shape, width, chunks / row_chunks>(inputs + Shape::skip, taps.values + height,
                                                       input_rows);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < rows / outputs * chunks; k += threads) {
    const int x = k % chunks * chunk<T>, y = k / chunks * outputs;
    T sum[outputs][chunk<T>];
    block_sums<height, 1, 0, Shape::pitch>(inputs + y * Shape::pitch + x + Shape::skip, taps.values,
                                           sum);
    tile.store(y, x, sum);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

struct SeparableTile {
  int chunks, rows, threads, outputs;
};

/// Two neighbouring tiles both compute the row sums of the halo between them, so taller masks have
/// taller tiles. Grids of few points use small tiles, so that all multiprocessors have work. Each
/// choice was the fastest of several on an H200.
template <class T>
SeparableTile separable_tile(const KernelArguments<T>& arguments) {
  const int height = arguments.height;
  const double points = points_of(arguments);
  if (height > 21) return {24, 64, 192, 8};
  if (points < small_grid || (points < large_grid && height <= 9)) return {24, 32, 192, 4};
  if (points < large_grid) return {24, 64, 192, 8};
  if (height <= 5) return {48, 32, 192, 8};
  if (height <= 9) return {48, 48, 288, 8};
  return {48, 64, 192, 8};
}

}  // namespace

template <class T>
void launch_tile_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                           CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width;
  const SeparableTile size = separable_tile(arguments);
  const int columns = size.chunks * chunk<T>;
  std::vector<T> taps = stencil.column;
  taps.insert(taps.end(), stencil.row.begin(), stencil.row.end());
  const std::size_t bytes =
      sizeof(T) * std::size_t(tile_pitch<T>(width, columns)) * (size.rows + height - 1) + 16;
  launch_tiles(
      instance("tile_separable.cu", instance_name<T>("tile_separable", height, width, size.chunks,
                                                     size.rows, size.threads, size.outputs)),
      arguments, place_tiles(arguments, tile_lead<T>(width)), columns, size.rows, size.threads,
      bytes, stream, taps);
}

template void launch_tile_separable(const KernelArguments<float>&, const Stencil<float>&,
                                    CUstream_st*);
template void launch_tile_separable(const KernelArguments<double>&, const Stencil<double>&,
                                    CUstream_st*);

#endif

}  // namespace stencil::cuda

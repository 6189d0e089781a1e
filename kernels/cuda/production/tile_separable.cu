// Both passes of a separable mask over one tile: the row sums overwrite their inputs in shared
// memory, and the column sums are computed from them. So every point, except for the halo, is read
// once and written once.
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <vector>

#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int row_chunks = 3;  // of one thread in the row pass; odd, so that banks do not collide
constexpr int outputs = 8;     // rows of one thread in the column pass

struct SeparableTile {
  int chunks, rows, threads, blocks;  ///< blocks that should fit on a multiprocessor
  __host__ __device__ constexpr int row_lanes() const { return chunks / row_chunks; }
};

/// Row sums of the halo are computed twice: the taller the mask the taller the tile.
__host__ __device__ constexpr SeparableTile separable_tile(int height) {
  if (height <= 5) return {48, 32, 192, 4};
  if (height <= 9) return {48, 48, 288, 4};
  if (height <= 21) return {48, 64, 192, 4};
  return {24, 64, 192, 4};
}

/// Row sums of `rows` rows, in place.
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
    __syncwarp();  // all threads of a row have read what its sums overwrite
    if (inside) {
#pragma unroll
      for (int c = 0; c < row_chunks; ++c) put_chunk(at + c * n, sum + c * n);
    }
  }
}

template <class T, int height, int width>
__global__ void __launch_bounds__(separable_tile(height).threads, separable_tile(height).blocks)
    tile_separable(const __grid_constant__ KernelArguments<T> arguments,
                   const __grid_constant__ TilePlace place,
                   const __grid_constant__ ConstantTaps<T, height + width> taps) {
  constexpr SeparableTile size = separable_tile(height);
  using Shape = TileShape<T, width, size.chunks * chunk<T>>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const Tile<T> tile(arguments, place, size.chunks * chunk<T>, size.rows);
  const int rows = tile.end + height - 1;
  tile.load(Shape{}, rows, width, inputs, inputs + (size.rows + height - 1) * Shape::pitch);
  sum_rows_in_place<Shape, width, size.row_lanes()>(inputs + Shape::skip, taps.values + height,
                                                    rows);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < size.rows / outputs * size.chunks; k += size.threads) {
    const int x = k % size.chunks * chunk<T>, y = k / size.chunks * outputs;
    T sum[outputs][chunk<T>];
    block_sums<height, 1, 0, Shape::pitch>(inputs + y * Shape::pitch + x + Shape::skip, taps.values,
                                           sum);
    tile.store(y, x, sum);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // what follows is the host's

template <class T>
void launch_tile_separable(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                           CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width;
  const SeparableTile size = separable_tile(height);
  const int columns = size.chunks * chunk<T>;
  std::vector<T> taps = stencil.column;
  taps.insert(taps.end(), stencil.row.begin(), stencil.row.end());
  const std::size_t bytes =
      sizeof(T) * std::size_t(tile_pitch<T>(width, columns)) * (size.rows + height - 1) + 16;
  launch_tiles(instance("tile_separable.cu", instance_name<T>("tile_separable", height, width)),
               arguments, place_tiles(arguments, tile_lead<T>(width)), columns, size.rows,
               size.threads, bytes, stream, taps);
}

template void launch_tile_separable(const KernelArguments<float>&, const Stencil<float>&,
                                    CUstream_st*);
template void launch_tile_separable(const KernelArguments<double>&, const Stencil<double>&,
                                    CUstream_st*);

#endif

}  // namespace stencil::cuda

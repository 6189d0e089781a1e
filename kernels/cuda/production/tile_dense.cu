// Small masks and columns. A block sums one tile from shared memory; each thread sums some rows of
// one chunk of columns.
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/grid_size.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

/// Numbers of chunks of columns and of rows of a tile, and number of rows of one thread.
struct DenseTile {
  int chunks, rows, outputs;
  __host__ __device__ constexpr int threads() const { return chunks * rows / outputs; }
};

/// @tparam chunks, rows, outputs  of a DenseTile
template <class T, int height, int width, unsigned long long absent, int chunks, int rows,
          int outputs>
__global__ void __launch_bounds__(DenseTile{chunks, rows, outputs}.threads())
    tile_dense(const __grid_constant__ KernelArguments<T> arguments,
               const __grid_constant__ TilePlace place,
               const __grid_constant__ ConstantTaps<T, height * width> taps) {
  constexpr DenseTile size{chunks, rows, outputs};
  using Shape = TileShape<T, width, size.chunks * chunk<T>>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const Tile<T> tile(arguments, place, size.chunks * chunk<T>, size.rows);
  tile.load(Shape{}, tile.end + height - 1, width, inputs,
            inputs + (size.rows + height - 1) * Shape::pitch);
  const int x = threadIdx.x % size.chunks * chunk<T>;
  const int y = threadIdx.x / size.chunks * size.outputs;
  T sum[size.outputs][chunk<T>];
  block_sums<height, width, Shape::sub, Shape::pitch, absent>(
      inputs + y * Shape::pitch + x + Shape::skip, taps.values, sum);
  tile.store(y, x, sum);
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

namespace {

/// Rows of inputs that two tiles share are read twice, so taller masks use taller tiles. Grids of
/// few points use small tiles, so that all multiprocessors have work. Each choice was the fastest
/// of several on an H200.
template <class T>
DenseTile dense_tile(const KernelArguments<T>& arguments) {
  const int height = arguments.height, width = arguments.width, taps = height * width;
  constexpr bool single = sizeof(T) == 4;
  if (width == 1) {
    if (height < 11) return {64, 16, 4};
    if (height < 21) return {64, 32, 8};
    return {16, 64, 8};
  }
  if (height > 1 && points_of(arguments) < large_grid) {
    if (points_of(arguments) < small_grid) return {32, 8, single ? 2 : 4};
    if (taps <= 25) return {32, 8, 2};
    if (taps > 49) return {single ? 16 : 32, 24, 6};
    return {single ? 16 : 64, 16, 4};
  }
  if (single && taps > 25) return {32, 24, 6};
  return {single && width > 5 ? 32 : 64, 16, 4};
}

/// Returns a bit mask of the taps that are skipped; 0 for masks of more than 64 taps, for which no
/// tap is skipped.
template <class T>
unsigned long long absent_taps(const Stencil<T>& stencil) {
  unsigned long long absent = 0;
  if (!stencil.multiply_zeros && stencil.taps.size() <= 64)
    for (std::size_t k = 0; k < stencil.taps.size(); ++k)
      absent |= static_cast<unsigned long long>(stencil.taps[k] == 0) << k;
  return absent;
}

}  // namespace

template <class T>
void launch_tile_dense(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width;
  const DenseTile size = dense_tile(arguments);
  const int columns = size.chunks * chunk<T>;
  const std::size_t bytes =
      sizeof(T) * std::size_t(tile_pitch<T>(width, columns)) * (size.rows + height - 1) + 16;
  launch_tiles(
      instance("tile_dense.cu", instance_name<T>("tile_dense", height, width, absent_taps(stencil),
                                                 size.chunks, size.rows, size.outputs)),
      arguments, place_tiles(arguments, tile_lead<T>(width)), columns, size.rows, size.threads(),
      bytes, stream, stencil.taps);
}

template void launch_tile_dense(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_dense(const KernelArguments<double>&, const Stencil<double>&,
                                CUstream_st*);

#endif

}  // namespace stencil::cuda

// Small masks and columns: a block sums one tile from shared memory, each thread some rows of one
// chunk of columns.
#include <cuda_runtime.h>

#include "kernels/cuda/production/one_of.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#include "kernels/cuda/production/tile_sums.cuh"

namespace stencil::cuda {
namespace {

/// Chunks of columns and rows of a tile, and rows of one thread.
struct DenseTile {
  int chunks, rows, outputs;
  __host__ __device__ constexpr int threads() const { return chunks * rows / outputs; }
};

/// Rows of inputs that two tiles share are read twice, so taller masks use taller tiles. Each
/// choice was the fastest of several on an H200.
template <class T>
__host__ __device__ constexpr DenseTile dense_tile(int height, int width) {
  if (width > 1) return {sizeof(T) == 4 && width > 5 ? 32 : 64, 16, 4};
  if (height < 11) return {64, 16, 4};
  if (height < 21) return {64, 32, 8};
  return {16, 64, 8};
}

template <class T, int height, int width, unsigned absent>
__global__ void __launch_bounds__(dense_tile<T>(height, width).threads())
    tile_dense(const __grid_constant__ KernelArguments<T> arguments,
               const __grid_constant__ TilePlace place,
               const __grid_constant__ ConstantTaps<T, height * width> taps) {
  constexpr DenseTile size = dense_tile<T>(height, width);
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

template <class T, int height, int width, unsigned absent = 0>
void launch(const KernelArguments<T>& arguments, const Stencil<T>& stencil, CUstream_st* stream) {
  constexpr DenseTile size = dense_tile<T>(height, width);
  using Shape = TileShape<T, width, size.chunks * chunk<T>>;
  ConstantTaps<T, height * width> taps;
  std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
  const std::size_t bytes = sizeof(T) * Shape::pitch * (size.rows + height - 1) + 16;
  launch_tiles(tile_dense<T, height, width, absent>, arguments, place_tiles(arguments, Shape::lead),
               size.chunks * chunk<T>, size.rows, size.threads(), bytes, "cuda tile", stream, taps);
}

/// Whether the taps of 0 that are skipped are the corners of a 3 x 3 mask.
template <class T>
bool is_plus(const Stencil<T>& stencil) {
  if (stencil.height != 3 || stencil.width != 3) return false;
  for (int k = 0; k < 9; ++k) {
    const bool corner = k == 0 || k == 2 || k == 6 || k == 8;
    if ((stencil.taps[k] == 0) != corner) return false;
  }
  return true;
}

}  // namespace

template <class T>
bool try_tile_dense(const KernelArguments<T>* arguments, const Stencil<T>& stencil,
                    CUstream_st* stream) {
  if (!is_plain(stencil, Method::direct)) {
    const bool plus = stencil.method == Method::direct && skips_zeros(stencil) &&
                      is_plus(stencil) && !stencil.min_valid &&
                      stencil.stride == std::array<Index, 2>{1, 1};
    if (plus && arguments != nullptr) launch<T, 3, 3, 0b101000101>(*arguments, stencil, stream);
    return plus;
  }
  if (stencil.width == 1)
    return with_one_of<3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 25, 31, 33>(
        stencil.height, [&](auto height) {
          if (arguments != nullptr) launch<T, height, 1>(*arguments, stencil, stream);
        });
  if (stencil.height != stencil.width) return false;
  return with_one_of<3, 4, 5, 6, 7>(stencil.height, [&](auto side) {
    if (arguments != nullptr) launch<T, side, side>(*arguments, stencil, stream);
  });
}

template bool try_tile_dense(const KernelArguments<float>*, const Stencil<float>&, CUstream_st*);
template bool try_tile_dense(const KernelArguments<double>*, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda

// Masks along x. A block sums a piece of one row; each thread sums five chunks of neighbouring
// outputs. Each warp transposes its results in shared memory, so that whole cache lines are
// written.
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int threads = 64;
constexpr int chunks = 5;  // number of chunks of one thread; an odd number avoids bank conflicts
template <class T>
constexpr int outputs = chunks* chunk<T>;

template <class T, int width>
__global__ void __launch_bounds__(threads)
    tile_line(const __grid_constant__ KernelArguments<T> arguments,
              const __grid_constant__ TilePlace place,
              const __grid_constant__ ConstantTaps<T, width> taps) {
  constexpr int n = chunk<T>, columns = threads * outputs<T>;
  using Shape = TileShape<T, width, columns>;
  __shared__ __align__(128) T inputs[Shape::pitch];
  __shared__ __align__(8) unsigned long long barrier;
  const Tile<T> tile(arguments, place, columns, 1);
  tile.load(Shape{}, 1, width, inputs, &barrier);
  T* const mine = inputs + Shape::skip + threadIdx.x * outputs<T>;
  T sum[outputs<T>];
  line_sums<width, Shape::sub>(mine, taps.values, sum);
  __syncthreads();  // all warps have read the inputs that the results overwrite
#pragma unroll
  for (int c = 0; c < chunks; ++c) put_chunk(mine + c * n, sum + c * n);
  __syncwarp();
  const int begin = threadIdx.x / 32 * 32 * outputs<T>;
#pragma unroll
  for (int c = 0; c < chunks; ++c) {
    const int x = begin + (c * 32 + int(threadIdx.x % 32)) * n;
    T turned[1][n];
    load_chunk(inputs + Shape::skip + x, turned[0]);
    tile.store(0, x, turned);
  }
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

static_assert(line_tile_columns<float> == threads * outputs<float>);
static_assert(line_tile_columns<double> == threads * outputs<double>);

template <class T>
void launch_tile_line(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream) {
  launch_tiles(instance("tile_line.cu", instance_name<T>("tile_line", arguments.width)), arguments,
               place_tiles(arguments, tile_lead<T>(arguments.width)), line_tile_columns<T>, 1,
               threads, 0, stream, stencil.taps);
}

template void launch_tile_line(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_line(const KernelArguments<double>&, const Stencil<double>&,
                               CUstream_st*);

#endif

}  // namespace stencil::cuda

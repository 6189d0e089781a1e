// A block computes a tile of outputs; the inputs of the tile and its halo are in shared memory.
//
// Each input is loaded from global memory once for the whole block and then read up to W times from
// shared memory. There are more inputs (T + W - 1 along an axis) than threads (T), so they are
// loaded in steps: along a line first the left halo, then the core, then the right halo; in a grid
// the block steps over the tile until all of it is loaded.
#include "examples/strategies/tiled_launch.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void halo_line(const __grid_constant__ KernelArguments<T> arguments,
                          const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int t = int(threadIdx.x);
  const Index first = Index(blockIdx.x) * line_tile, y = blockIdx.y;
  const auto load = [&](int k) { tile[k] = input_or_zero(arguments, y, first + k); };
  const int left = mask.width / 2, right = mask.width - 1 - left;
  for (int k = t; k < left; k += line_tile) load(k);
  load(left + t);
  for (int k = t; k < right; k += line_tile) load(left + line_tile + k);
  __syncthreads();

  const Index x = first + t;
  if (x >= arguments.outputs_x) return;
  put(arguments, y, x, sum_taps<T>(mask, [&](int, int i) { return tile[t + i]; }));
}

template <class T, class Mask>
__global__ void halo_grid(const __grid_constant__ KernelArguments<T> arguments,
                          const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int ty = int(threadIdx.y), tx = int(threadIdx.x);
  const int rows = tile_rows + mask.height - 1, columns = tile_columns + mask.width - 1;
  const Index first_y = Index(blockIdx.y) * tile_rows, first_x = Index(blockIdx.x) * tile_columns;
  for (int j = ty; j < rows; j += tile_rows)
    for (int i = tx; i < columns; i += tile_columns)
      tile[j * columns + i] = input_or_zero(arguments, first_y + j, first_x + i);
  __syncthreads();

  const Index y = first_y + ty, x = first_x + tx;
  if (y >= arguments.outputs_y || x >= arguments.outputs_x) return;
  const T* first = tile + ty * columns + tx;
  put(arguments, y, x, sum_taps<T>(mask, [&](int j, int i) { return first[j * columns + i]; }));
}

struct Rung {
  static constexpr Strategy strategy = Strategy::tiled_halo;
  template <class T, class Mask>
  static TiledKernel<T, Mask> line() {
    return halo_line<T, Mask>;
  }
  template <class T, class Mask>
  static TiledKernel<T, Mask> grid() {
    return halo_grid<T, Mask>;
  }
};

}  // namespace

template <class T>
void sweep_tiled_halo(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream) {
  launch_tiled<Rung>(arguments, stencil, stream);
}

template void sweep_tiled_halo(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void sweep_tiled_halo(const KernelArguments<double>&, const Stencil<double>&,
                               CUstream_st*);

}  // namespace stencil::cuda::ladder

// Only the core of the tile is in shared memory; the halo is read from global memory.
//
// The halo of one block is the core of its neighbours, which have loaded it shortly before, so it
// is in a cache. No thread has to load it in advance, and the load is one line of code. In return,
// each tap needs a test whether its input is in the tile.
#include "examples/strategies/tiled_launch.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void cached_line(const __grid_constant__ KernelArguments<T> arguments,
                            const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int t = int(threadIdx.x), left = mask.width / 2;
  const Index x = Index(blockIdx.x) * line_tile + t, y = blockIdx.y;
  tile[t] = input_or_zero(arguments, y, x + left);
  __syncthreads();

  if (x >= arguments.outputs_x) return;
  const T* first =
      arguments.source + blockIdx.z * arguments.source_batch + y * arguments.source_row + x;
  put(arguments, y, x, sum_taps<T>(mask, [&](int, int i) {
        const int place = t + i - left;
        return 0 <= place && place < line_tile ? tile[place] : first[i];
      }));
}

template <class T, class Mask>
__global__ void cached_grid(const __grid_constant__ KernelArguments<T> arguments,
                            const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int ty = int(threadIdx.y), tx = int(threadIdx.x);
  const int above = mask.height / 2, left = mask.width / 2;
  const Index y = Index(blockIdx.y) * tile_rows + ty, x = Index(blockIdx.x) * tile_columns + tx;
  tile[ty * tile_columns + tx] = input_or_zero(arguments, y + above, x + left);
  __syncthreads();

  if (y >= arguments.outputs_y || x >= arguments.outputs_x) return;
  const T* first =
      arguments.source + blockIdx.z * arguments.source_batch + y * arguments.source_row + x;
  put(arguments, y, x, sum_taps<T>(mask, [&](int j, int i) {
        const int row = ty + j - above, column = tx + i - left;
        const bool inside = 0 <= row && row < tile_rows && 0 <= column && column < tile_columns;
        return inside ? tile[row * tile_columns + column] : first[j * arguments.source_row + i];
      }));
}

struct Rung {
  static constexpr Strategy strategy = Strategy::tiled_cached;
  template <class T, class Mask>
  static TiledKernel<T, Mask> line() {
    return cached_line<T, Mask>;
  }
  template <class T, class Mask>
  static TiledKernel<T, Mask> grid() {
    return cached_grid<T, Mask>;
  }
};

}  // namespace

template <class T>
void sweep_tiled_cached(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  launch_tiled<Rung>(arguments, stencil, stream);
}

template void sweep_tiled_cached(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void sweep_tiled_cached(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

}  // namespace stencil::cuda::ladder

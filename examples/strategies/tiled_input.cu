// A block is a tile of inputs: each thread loads one input, and the threads at the edge do not
// compute.
//
// The load has neither steps nor a remainder. In return, of I threads along an axis only I - W + 1
// have an output, which for a mask of 9 x 9 and a tile of 32 x 32 is little more than half of them,
// and the mask cannot be larger than the block.
#include "examples/strategies/tiled_launch.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void input_line(const __grid_constant__ KernelArguments<T> arguments,
                           const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int t = int(threadIdx.x);
  const int outputs = line_input_tile - mask.width + 1;
  const Index x = Index(blockIdx.x) * outputs + t, y = blockIdx.y;
  tile[t] = input_or_zero(arguments, y, x);
  __syncthreads();

  if (t >= outputs || x >= arguments.outputs_x) return;
  put(arguments, y, x, sum_taps<T>(mask, [&](int, int i) { return tile[t + i]; }));
}

template <class T, class Mask>
__global__ void input_grid(const __grid_constant__ KernelArguments<T> arguments,
                           const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int ty = int(threadIdx.y), tx = int(threadIdx.x);
  const int outputs_y = square_input_tile - mask.height + 1;
  const int outputs_x = square_input_tile - mask.width + 1;
  const Index y = Index(blockIdx.y) * outputs_y + ty, x = Index(blockIdx.x) * outputs_x + tx;
  T* first = tile + ty * square_input_tile + tx;
  *first = input_or_zero(arguments, y, x);
  __syncthreads();

  if (ty >= outputs_y || tx >= outputs_x) return;
  if (y >= arguments.outputs_y || x >= arguments.outputs_x) return;
  put(arguments, y, x,
      sum_taps<T>(mask, [&](int j, int i) { return first[j * square_input_tile + i]; }));
}

struct Rung {
  static constexpr Strategy strategy = Strategy::tiled_input;
  template <class T, class Mask>
  static TiledKernel<T, Mask> line() {
    return input_line<T, Mask>;
  }
  template <class T, class Mask>
  static TiledKernel<T, Mask> grid() {
    return input_grid<T, Mask>;
  }
};

}  // namespace

template <class T>
void sweep_tiled_input(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream) {
  launch_tiled<Rung>(arguments, stencil, stream);
}

template void sweep_tiled_input(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void sweep_tiled_input(const KernelArguments<double>&, const Stencil<double>&,
                                CUstream_st*);

}  // namespace stencil::cuda::ladder

// The tile with its halo is loaded in two steps: T inputs, then the remaining W - 1.
//
// tiled_halo loads left halo, core and right halo separately, in three steps of which two are
// nearly empty. For loading, the T + W - 1 inputs are just a row: every thread loads one of the
// first T, and a few threads load one of the rest.
#include "examples/strategies/tiled_launch.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void two_step_line(const __grid_constant__ KernelArguments<T> arguments,
                              const __grid_constant__ Mask mask) {
  T* tile = shared_tile<T>();
  const int t = int(threadIdx.x);
  const Index first = Index(blockIdx.x) * line_tile, y = blockIdx.y;
  const auto load = [&](int k) { tile[k] = input_or_zero(arguments, y, first + k); };
  load(t);
  // one iteration if the mask is not wider than the tile
  for (int k = t; k < mask.width - 1; k += line_tile) load(line_tile + k);
  __syncthreads();

  const Index x = first + t;
  if (x >= arguments.outputs_x) return;
  put(arguments, y, x, sum_taps<T>(mask, [&](int, int i) { return tile[t + i]; }));
}

struct Rung {
  static constexpr Strategy strategy = Strategy::tiled_two_step;
  template <class T, class Mask>
  static TiledKernel<T, Mask> line() {
    return two_step_line<T, Mask>;
  }
  template <class T, class Mask>
  static TiledKernel<T, Mask> grid() {
    return nullptr;  // lines only: launch_strategy refuses other masks
  }
};

}  // namespace

template <class T>
void sweep_tiled_two_step(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                          CUstream_st* stream) {
  launch_tiled<Rung>(arguments, stencil, stream);
}

template void sweep_tiled_two_step(const KernelArguments<float>&, const Stencil<float>&,
                                   CUstream_st*);
template void sweep_tiled_two_step(const KernelArguments<double>&, const Stencil<double>&,
                                   CUstream_st*);

}  // namespace stencil::cuda::ladder

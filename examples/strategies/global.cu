// One thread for each output; inputs and taps are read from global memory.
//
// The simplest kernel, with which the others are compared. Each multiply-add loads one input and
// one tap. Neighbouring threads load neighbouring inputs, so the loads coalesce, and most of them
// hit the caches; but each one still takes an instruction and an access to the L1 cache.
#include "examples/strategies/grid.cuh"
#include "examples/strategies/mask.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void global_kernel(const __grid_constant__ KernelArguments<T> arguments,
                              const __grid_constant__ Mask mask) {
  const Index x = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index y = Index(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y >= arguments.outputs_y || x >= arguments.outputs_x) return;
  const T* first = arguments.source + blockIdx.z * arguments.source_batch +
                   y * arguments.stride_y * arguments.source_row + x * arguments.stride_x;
  put(arguments, y, x,
      sum_taps<T>(mask, [&](int j, int i) { return first[j * arguments.source_row + i]; }));
}

}  // namespace

template <class T>
void sweep_global(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                  const T* device_taps, CUstream_st* stream) {
  const TileGeometry g = tile_geometry(Strategy::global, stencil.height, stencil.width);
  with_sides(stencil, [&]<class Sides>(const Sides& sides) {
    using Mask = GlobalMask<T, Sides>;
    const Mask mask{sides, device_taps};
    for_each_grid(arguments, g, [&](const KernelArguments<T>& part, dim3 blocks, dim3 threads) {
      global_kernel<T, Mask><<<blocks, threads, 0, stream>>>(part, mask);
    });
  });
}

template void sweep_global(const KernelArguments<float>&, const Stencil<float>&, const float*,
                           CUstream_st*);
template void sweep_global(const KernelArguments<double>&, const Stencil<double>&, const double*,
                           CUstream_st*);

}  // namespace stencil::cuda::ladder

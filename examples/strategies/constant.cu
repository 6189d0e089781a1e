// One thread for each output; the mask is in constant memory.
//
// All threads of a warp need the same tap at the same time. Constant memory is made for this: one
// read of its small cache serves all 32 threads, and the L1 cache serves only the loads of the
// inputs. This removes half of the loads of the first kernel.
#include "examples/strategies/grid.cuh"
#include "examples/strategies/mask.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void constant_kernel(const __grid_constant__ KernelArguments<T> arguments,
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
void sweep_constant(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                    CUstream_st* stream) {
  const TileGeometry g = tile_geometry(Strategy::constant, stencil.height, stencil.width);
  with_constant_mask(stencil, [&]<class Mask>(const Mask& mask) {
    for_each_grid(arguments, g, [&](const KernelArguments<T>& part, dim3 blocks, dim3 threads) {
      constant_kernel<T, Mask><<<blocks, threads, 0, stream>>>(part, mask);
    });
  });
}

template void sweep_constant(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void sweep_constant(const KernelArguments<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda::ladder

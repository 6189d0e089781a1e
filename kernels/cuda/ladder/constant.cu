// One thread for each output, the mask in constant memory.
//
// All threads of a warp want the same tap at the same time. Constant memory is made for that: one
// read of its small cache serves all 32 of them, and the loads of the inputs have the L1 to
// themselves. Half of the loads of the first kernel are gone.
#include "kernels/cuda/ladder/grid.cuh"
#include "kernels/cuda/ladder/mask.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void constant_kernel(const __grid_constant__ Sweep<T> sweep,
                                const __grid_constant__ Mask mask) {
  const Index x = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index y = Index(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y >= sweep.outputs_y || x >= sweep.outputs_x) return;
  const T* first = sweep.source + blockIdx.z * sweep.source_batch +
                   y * sweep.stride_y * sweep.source_row + x * sweep.stride_x;
  put(sweep, y, x,
      sum_taps<T>(mask, [&](int j, int i) { return first[j * sweep.source_row + i]; }));
}

}  // namespace

template <class T>
void sweep_constant(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  const TileGeometry g = tile_geometry(Strategy::constant, stencil.height, stencil.width);
  with_constant_mask(stencil, [&]<class Mask>(const Mask& mask) {
    for_each_grid(sweep, g, [&](const Sweep<T>& part, dim3 blocks, dim3 threads) {
      constant_kernel<T, Mask><<<blocks, threads, 0, stream>>>(part, mask);
    });
  });
}

template void sweep_constant(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void sweep_constant(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda::ladder

// One thread for each output, everything read from global memory.
//
// The first kernel that anybody writes, and the yardstick of the others. Each multiply-add loads
// one input and one tap. Neighbouring threads load neighbouring inputs, so the loads coalesce, and
// the caches answer most of them; but each one still takes an instruction and a turn at the L1.
#include "kernels/cuda/ladder/grid.cuh"
#include "kernels/cuda/ladder/mask.cuh"

namespace stencil::cuda::ladder {
namespace {

template <class T, class Mask>
__global__ void global_kernel(const __grid_constant__ Sweep<T> sweep,
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
void sweep_global(const Sweep<T>& sweep, const Stencil<T>& stencil, const T* device_taps,
                  CUstream_st* stream) {
  const TileGeometry g = tile_geometry(Strategy::global, stencil.height, stencil.width);
  with_sides(stencil, [&]<class Sides>(const Sides& sides) {
    using Mask = GlobalMask<T, Sides>;
    const Mask mask{sides, device_taps};
    for_each_grid(sweep, g, [&](const Sweep<T>& part, dim3 blocks, dim3 threads) {
      global_kernel<T, Mask><<<blocks, threads, 0, stream>>>(part, mask);
    });
  });
}

template void sweep_global(const Sweep<float>&, const Stencil<float>&, const float*, CUstream_st*);
template void sweep_global(const Sweep<double>&, const Stencil<double>&, const double*,
                           CUstream_st*);

}  // namespace stencil::cuda::ladder

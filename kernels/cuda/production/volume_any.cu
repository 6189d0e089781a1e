// Computes direct masks of three axes with one thread per output, for the cases that no faster
// kernel supports. This kernel is compiled ahead.
#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/generated/launch_record.hpp"
#include "kernels/cuda/production/arithmetic.cuh"
#include "kernels/cuda/production/kernels.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 256;

template <class T>
__global__ void __launch_bounds__(threads)
    volume_any(const __grid_constant__ VolumeArguments<T> arguments) {
  const KernelArguments<T>& sweep = arguments.sweep;
  const long total = sweep.batches * sweep.rows * sweep.columns;
  const long step = long(gridDim.x) * threads;
  for (long k = long(blockIdx.x) * threads + threadIdx.x; k < total; k += step) {
    const long x = k % sweep.columns, row = k / sweep.columns;
    const long y = row % sweep.rows, b = row / sweep.rows;
    const T* const first = sweep.source + b * arguments.plane_stride * sweep.source_batch +
                           y * sweep.stride_y * sweep.source_row + x * sweep.stride_x;
    const T* tap = sweep.taps;
    T sum = 0;
    for (int plane = 0; plane < arguments.depth; ++plane)
      for (int j = 0; j < sweep.height; ++j) {
        const T* const from = first + plane * sweep.source_batch + j * sweep.source_row;
        for (int i = 0; i < sweep.width; ++i, ++tap)
          if (*tap != 0 || !sweep.skip_zeros) sum = fused(*tap, __ldg(from + i), sum);
      }
    sweep.target[b * sweep.target_batch + y * sweep.target_row + x] = clean(sum);
  }
}

}  // namespace

template <class T>
void launch_volume_any(const VolumeArguments<T>& arguments, CUstream_st* stream) {
  const KernelArguments<T>& sweep = arguments.sweep;
  const long total = sweep.batches * sweep.rows * sweep.columns;
  const long blocks = std::min((total + threads - 1) / threads, 0x7fffffffL);
  if (blocks == 0) return;
  LaunchRecord::note_other_work();
  volume_any<<<unsigned(blocks), threads, 0, stream>>>(arguments);
  check_launch("cuda volume");
}

template void launch_volume_any(const VolumeArguments<float>&, CUstream_st*);
template void launch_volume_any(const VolumeArguments<double>&, CUstream_st*);

}  // namespace stencil::cuda

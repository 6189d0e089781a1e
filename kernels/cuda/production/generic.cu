// Any stencil at all, one thread per output: what the fast kernels are not made for.
#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/production/arithmetic.cuh"
#include "kernels/cuda/production/sweep.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 256;

/// Sums of one output: the points, their taps, and the absolute values of their taps.
template <class T>
struct Sums {
  T points = 0, taps = 0, absolute = 0;
};

/// One row of taps over one row of inputs, added to `sums`.
template <class T>
__device__ void add_row(const Sweep<T>& sweep, const T* taps, const T* from, Sums<T>& sums) {
  for (int i = 0; i < sweep.width; ++i) {
    const T tap = taps[i];
    if (tap == 0 && sweep.skip_zeros) continue;
    const T point = __ldg(from + i);
    const bool valid = !sweep.weights.wanted || point == point;
    sums.points = fused(tap, valid ? point : T(0), sums.points);
    sums.taps += valid ? tap : T(0);
    sums.absolute += valid ? abs(tap) : T(0);
  }
}

template <class T>
__device__ Sums<T> sum_of(const Sweep<T>& sweep, const T* from) {
  Sums<T> sums;
  for (int j = 0; j < sweep.height; ++j, from += sweep.source_row) {
    if (!sweep.separable) {
      add_row(sweep, sweep.taps + long(j) * sweep.width, from, sums);
      continue;
    }
    for (int k = 0; k < sweep.terms; ++k) {
      const T tap = sweep.column[long(k) * sweep.column_pitch + j];
      if (tap == 0 && sweep.skip_zeros) continue;
      Sums<T> across;
      add_row(sweep, sweep.row + long(k) * sweep.width, from, across);
      sums.points = fused(tap, across.points, sums.points);
      sums.taps = fused(tap, across.taps, sums.taps);
      sums.absolute = fused(abs(tap), across.absolute, sums.absolute);
    }
  }
  return sums;
}

template <class T>
__global__ void __launch_bounds__(threads)
    generic(const __grid_constant__ Sweep<T> sweep, const bool repair) {
  const long total = sweep.batches * sweep.rows * sweep.columns;
  const long step = long(gridDim.x) * threads;
  for (long k = long(blockIdx.x) * threads + threadIdx.x; k < total; k += step) {
    const long x = k % sweep.columns, row = k / sweep.columns;
    const long y = row % sweep.rows, b = row / sweep.rows;
    T& target = sweep.target[b * sweep.target_batch + y * sweep.target_row + x];
    if (repair && target == target) continue;
    const Sums<T> sums =
        sum_of(sweep, sweep.source + b * sweep.source_batch +
                          y * sweep.stride_y * sweep.source_row + x * sweep.stride_x);
    const auto& w = sweep.weights;
    const T share = w.mixed ? sums.absolute : abs(sums.taps);
    target = w.wanted ? rescaled(sums.points, sums.taps, is_too_little(share, w.threshold), w.total)
                      : clean(sums.points);
  }
}

}  // namespace

template <class T>
void launch_generic(const Sweep<T>& sweep, bool repair, CUstream_st* stream) {
  const long total = sweep.batches * sweep.rows * sweep.columns;
  const long blocks = std::min((total + threads - 1) / threads, 0x7fffffffL);
  generic<<<unsigned(blocks), threads, 0, stream>>>(sweep, repair);
  check_launch("cuda generic");
}

template void launch_generic(const Sweep<float>&, bool, CUstream_st*);
template void launch_generic(const Sweep<double>&, bool, CUstream_st*);

}  // namespace stencil::cuda

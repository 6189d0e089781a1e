// Computes any stencil with one thread per output, for the cases that no faster kernel supports.
#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/generated/launch_record.hpp"
#include "kernels/cuda/production/arithmetic.cuh"
#include "kernels/cuda/production/kernels.hpp"

namespace stencil::cuda {
namespace {

constexpr int threads = 256;

/// Sums of one output: of the products of points and taps, of the taps, and of the absolute values
/// of the taps.
template <class T>
struct Sums {
  T points = 0, taps = 0, absolute = 0;
};

/// Adds the products of one row of taps and one row of inputs to `sums`.
template <class T>
__device__ void add_row(const KernelArguments<T>& arguments, const T* taps, const T* from,
                        Sums<T>& sums) {
  for (int i = 0; i < arguments.width; ++i) {
    const T tap = taps[i];
    if (tap == 0 && arguments.skip_zeros) continue;
    const T point = __ldg(from + i);
    const bool valid = !arguments.weights.wanted || point == point;
    sums.points = fused(tap, valid ? point : T(0), sums.points);
    sums.taps += valid ? tap : T(0);
    sums.absolute += valid ? abs(tap) : T(0);
  }
}

template <class T>
__device__ Sums<T> sum_of(const KernelArguments<T>& arguments, const T* from) {
  Sums<T> sums;
  for (int j = 0; j < arguments.height; ++j, from += arguments.source_row) {
    if (!arguments.separable) {
      add_row(arguments, arguments.taps + long(j) * arguments.width, from, sums);
      continue;
    }
    for (int k = 0; k < arguments.terms; ++k) {
      const T tap = arguments.column[long(k) * arguments.column_pitch + j];
      if (tap == 0 && arguments.skip_zeros) continue;
      Sums<T> across;
      add_row(arguments, arguments.row + long(k) * arguments.width, from, across);
      sums.points = fused(tap, across.points, sums.points);
      sums.taps = fused(tap, across.taps, sums.taps);
      sums.absolute = fused(abs(tap), across.absolute, sums.absolute);
    }
  }
  return sums;
}

template <class T>
__global__ void __launch_bounds__(threads)
    generic(const __grid_constant__ KernelArguments<T> arguments, const bool repair) {
  const long total = arguments.batches * arguments.rows * arguments.columns;
  const long step = long(gridDim.x) * threads;
  for (long k = long(blockIdx.x) * threads + threadIdx.x; k < total; k += step) {
    const long x = k % arguments.columns, row = k / arguments.columns;
    const long y = row % arguments.rows, b = row / arguments.rows;
    T& target = arguments.target[b * arguments.target_batch + y * arguments.target_row + x];
    if (repair && target == target) continue;
    const Sums<T> sums = sum_of(arguments, arguments.source + b * arguments.source_batch +
                                               y * arguments.stride_y * arguments.source_row +
                                               x * arguments.stride_x);
    const auto& w = arguments.weights;
    const T share = w.mixed ? sums.absolute : abs(sums.taps);
    target = w.wanted ? rescaled(sums.points, sums.taps, is_too_little(share, w.threshold), w.total)
                      : clean(sums.points);
  }
}

template <class T>
void launch(const KernelArguments<T>& arguments, bool repair, CUstream_st* stream) {
  const long total = arguments.batches * arguments.rows * arguments.columns;
  const long blocks = std::min((total + threads - 1) / threads, 0x7fffffffL);
  if (blocks == 0) return;
  LaunchRecord::note_other_work();
  generic<<<unsigned(blocks), threads, 0, stream>>>(arguments, repair);
  check_launch("cuda generic");
}

}  // namespace

template <class T>
void launch_generic(const KernelArguments<T>& arguments, const Stencil<T>& /*stencil*/,
                    CUstream_st* stream) {
  launch(arguments, false, stream);
}

template <class T>
void repair_generic(const KernelArguments<T>& arguments, CUstream_st* stream) {
  launch(arguments, true, stream);
}

template void launch_generic(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_generic(const KernelArguments<double>&, const Stencil<double>&, CUstream_st*);
template void repair_generic(const KernelArguments<float>&, CUstream_st*);
template void repair_generic(const KernelArguments<double>&, CUstream_st*);

}  // namespace stencil::cuda

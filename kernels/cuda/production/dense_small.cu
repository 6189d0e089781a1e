// Small masks with gaps or of unequal sides, unrolled: taps are operands from the constant bank,
// which holds kernel arguments. Rows of a strip pass through a ring in shared memory; each thread
// sums `outputs` rows of one chunk of columns.
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/ring.cuh"

namespace stencil::cuda {
namespace {

constexpr int outputs = 4, most_threads = 256;

/// A mask within side x side taps; taps that it does not have, or that it skips, are not `present`.
template <class T, int side>
struct SmallMask {
  T taps[side * side];
  unsigned present[(side * side + 31) / 32];

  __device__ bool has(int k) const { return present[k / 32] >> k % 32 & 1; }
};

/// Adds one input row's window to the output rows that use it.
template <class T, int side, int k>
__device__ __forceinline__ void add_row(const SmallMask<T, side>& mask, const T* from,
                                        T (&sum)[outputs][chunk<T>]) {
  constexpr int n = chunk<T>, chunks = (n + side - 2) / n + 1;
  T window[chunks * n];
#pragma unroll
  for (int c = 0; c < chunks; ++c) load_chunk(from + c * n, window + c * n);
#pragma unroll
  for (int r = 0; r < outputs; ++r) {
    constexpr int last = side - 1;
    const int j = k - r;
    if (j < 0 || j > last) continue;
#pragma unroll
    for (int i = 0; i < side; ++i) {
      if (!mask.has(j * side + i)) continue;
#pragma unroll
      for (int v = 0; v < n; ++v)
        sum[r][v] = fused(mask.taps[j * side + i], window[i + v], sum[r][v]);
    }
  }
}

template <class T, int side, int k = 0>
__device__ __forceinline__ void add_rows(const SmallMask<T, side>& mask, const Ring<T>& ring,
                                         int slot, int at, T (&sum)[outputs][chunk<T>]) {
  if constexpr (k < side + outputs - 1) {
    add_row<T, side, k>(mask, ring.row(slot) + at, sum);
    add_rows<T, side, k + 1>(mask, ring, ring.after(slot, 1), at, sum);
  }
}

template <class T, int side>
__global__ void __launch_bounds__(most_threads, side <= 5 ? 3 : 2)
    dense_small(const __grid_constant__ RingPlan<T> plan,
                const __grid_constant__ SmallMask<T, side> mask) {
  extern __shared__ __align__(16) unsigned char memory[];
  const RowStream<T> stream = plan.stream_in(memory);
  const Ring<T> ring = plan.ring_in(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = (warp % plan.across * 32 + lane) * chunk<T>, down = warp / plan.across * outputs;
  const Segment<T> segment(plan.arguments, plan.alignment, plan.tiling, plan.width);
  walk_down(plan, segment, stream, [&](int y, int slot) {
    T sum[outputs][chunk<T>] = {};
    add_rows<T, side>(mask, ring, ring.after(slot, down), at, sum);
    segment.store(y + down, at, true, sum);
  });
}

template <class T, int side>
RingPlan<T> plan_small(const KernelArguments<T>& arguments, int across, int down) {
  RingPlan<T> plan{};
  plan.arguments = arguments;
  plan.across = across;
  plan.down = down;
  plan.width = across * 32 * chunk<T>;
  plan.row_width = plan.width + side - 1;
  plan.step = down * outputs;
  // rows that the mask lacks are read, though not used
  plan.lay_out(side);
  return plan;
}

template <class T, int side>
void launch_side(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                 CUstream_st* stream) {
  SmallMask<T, side> mask{};
  for (int j = 0; j < arguments.height; ++j) {
    for (int i = 0; i < arguments.width; ++i) {
      const T tap = stencil.taps[j * arguments.width + i];
      if (tap == 0 && arguments.skip_zeros) continue;
      const int k = j * side + i;
      mask.taps[k] = tap;
      mask.present[k / 32] |= 1u << k % 32;
    }
  }
  const auto kernel = dense_small<T, side>;
  RingPlan<T> plan;
  if (arguments.columns <= 32 * chunk<T>) {
    choose_plan(kernel,
                {plan_small<T, side>(arguments, 1, 4), plan_small<T, side>(arguments, 1, 8)}, plan);
  } else {
    choose_plan(kernel,
                {plan_small<T, side>(arguments, 2, 2), plan_small<T, side>(arguments, 2, 4)}, plan);
  }
  launch_plan(kernel, plan, "cuda dense", stream, mask);
}

}  // namespace

template <class T>
void launch_dense_small(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  const int side = std::max(arguments.height, arguments.width);
  if (side <= 3) return launch_side<T, 3>(arguments, stencil, stream);
  if (side <= 5) return launch_side<T, 5>(arguments, stencil, stream);
  launch_side<T, 7>(arguments, stencil, stream);
}

template void launch_dense_small(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void launch_dense_small(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

}  // namespace stencil::cuda

// Masks along y alone. Rows of a strip pass through a ring in shared memory, copied ahead; each
// thread sums a few rows of one chunk of columns out of it.
#include <cuda_runtime.h>

#include "kernels/cuda/production/column_sums.cuh"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/ring.cuh"

namespace stencil::cuda {
namespace {

constexpr int outputs = 8;  // rows of one thread
constexpr int most_threads = 256;

template <class T>
using Table = TapTable<T, outputs>;

/// Taps as a kernel argument, which lies in the constant bank; height 0 where only the run knows
/// how many there are, and where taps are skipped: these lie in shared memory.
template <class T, int height>
struct ColumnTaps {
  T values[height];
};
template <class T>
struct ColumnTaps<T, 0> {};

template <class T, int height, bool skip_zeros>
__global__ void __launch_bounds__(most_threads, 2)
    column(const __grid_constant__ RingPlan<T> plan,
           const __grid_constant__ ColumnTaps<T, height> taps) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const table = plan.taps_in(memory);
  const RowStream<T> stream = plan.stream_in(memory);
  const Ring<T> ring = plan.ring_in(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = (warp % plan.across * 32 + lane) * chunk<T>, down = warp / plan.across * outputs;
  if constexpr (height == 0)
    Table<T>::fill(table, plan.sweep.taps, plan.sweep.height, threadIdx.x, blockDim.x);
  const Segment<T> segment(plan.sweep, plan.alignment, plan.tiling, plan.width);
  walk_down(plan, segment, stream, [&](int y, int slot) {
    T sum[outputs][chunk<T>] = {};
    if (plan.sweep.resume) segment.load(y + down, at, sum);
    if constexpr (height > 0) {
      column_sums_fixed(ring, at, ring.after(slot, down), taps.values, sum);
    } else {
      column_sums<skip_zeros>(ring, at, ring.after(slot, down), table, plan.sweep.height, sum);
    }
    segment.store(y + down, at, plan.sweep.finish, sum);
  });
}

template <class T>
RingPlan<T> plan_column(const Sweep<T>& sweep, int across, int down) {
  RingPlan<T> plan{};
  plan.sweep = sweep;
  plan.across = across;
  plan.down = down;
  plan.width = plan.row_width = across * 32 * chunk<T>;
  plan.step = down * outputs;
  plan.taps = Table<T>::size(sweep.height);
  plan.lay_out(sweep.height);
  return plan;
}

template <class T, int height, bool skip_zeros>
void launch(const Sweep<T>& sweep, const ColumnTaps<T, height>& taps, CUstream_st* stream) {
  const auto kernel = column<T, height, skip_zeros>;
  RingPlan<T> best;
  if (sweep.columns <= 32 * chunk<T>) {
    choose_plan(kernel, {plan_column(sweep, 1, 4), plan_column(sweep, 1, 8)}, best);
  } else {
    choose_plan(kernel,
                {plan_column(sweep, 2, 4), plan_column(sweep, 2, 2), plan_column(sweep, 1, 4)},
                best);
  }
  launch_plan(kernel, best, "cuda column", stream, taps);
}

/// Launches the kernel for the stencil's height if it is one of `heights`.
template <class T, int height, int... heights>
bool launch_fixed(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (stencil.height == height) {
    ColumnTaps<T, height> taps;
    std::copy(stencil.taps.begin(), stencil.taps.end(), taps.values);
    launch<T, height, false>(sweep, taps, stream);
    return true;
  }
  if constexpr (sizeof...(heights) > 0) return launch_fixed<T, heights...>(sweep, stencil, stream);
  return false;
}

}  // namespace

template <class T>
void launch_column(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (sweep.skip_zeros) return launch<T, 0, true>(sweep, {}, stream);
  if (launch_fixed<T, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 31, 33>(sweep, stencil, stream)) return;
  launch<T, 0, false>(sweep, {}, stream);
}

template void launch_column(const Sweep<float>&, const Stencil<float>&, CUstream_st*);
template void launch_column(const Sweep<double>&, const Stencil<double>&, CUstream_st*);

}  // namespace stencil::cuda

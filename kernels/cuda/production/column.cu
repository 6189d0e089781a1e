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

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(most_threads, 2)
    column(const __grid_constant__ RingPlan<T> plan) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const table = plan.taps_in(memory);
  const RowStream<T> stream = plan.stream_in(memory);
  const Ring<T> ring = plan.ring_in(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = (warp % plan.across * 32 + lane) * chunk<T>, down = warp / plan.across * outputs;
  Table<T>::fill(table, plan.sweep.taps, plan.sweep.height, threadIdx.x, blockDim.x);
  const Segment<T> segment(plan.sweep, plan.alignment, plan.tiling, plan.width);
  walk_down(plan, segment, stream, [&](int y, int slot) {
    T sum[outputs][chunk<T>] = {};
    if (plan.sweep.resume) segment.load(y + down, at, sum);
    column_sums<skip_zeros>(ring, at, ring.after(slot, down), table, plan.sweep.height, sum);
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

}  // namespace

template <class T>
void launch_column(const Sweep<T>& sweep, CUstream_st* stream) {
  const auto kernel = sweep.skip_zeros ? column<T, true> : column<T, false>;
  RingPlan<T> best;
  if (sweep.columns <= 32 * chunk<T>) {
    choose_plan(kernel, {plan_column(sweep, 1, 4), plan_column(sweep, 1, 8)}, best);
  } else {
    choose_plan(kernel,
                {plan_column(sweep, 2, 4), plan_column(sweep, 2, 2), plan_column(sweep, 1, 4)},
                best);
  }
  launch_plan(kernel, best, "cuda column", stream);
}

template void launch_column(const Sweep<float>&, CUstream_st*);
template void launch_column(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda

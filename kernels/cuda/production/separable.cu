// Both passes of a separable mask in one sweep. A block walks down a strip: rows of inputs are
// copied one step ahead, their row sums go into a ring in shared memory, and the column sums come
// out of it. So every point is read once and written once.
#include <cuda_runtime.h>

#include "kernels/cuda/production/separable_plan.cuh"

namespace stencil::cuda {
namespace {

using namespace separable_walk;

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(384, 1) separable(const __grid_constant__ SeparablePlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  T* const inputs = reinterpret_cast<T*>(memory);
  const int chunk_size = plan.step * plan.pitch;
  const Ring<T> ring{inputs + chunks * chunk_size, strip_width<T>, plan.slots};
  T* const table = ring.row(plan.slots);
  T* const taps = table + plan.table;
  const RowStream<T> stream{inputs, plan.pitch, plan.step, sweep.height};
  const int at = threadIdx.x % column_lanes<T> * n, down = threadIdx.x / column_lanes<T> * outputs;
  Table<T>::fill(table, sweep.column, sweep.height, threadIdx.x, blockDim.x);
  for (int i = threadIdx.x; i < sweep.width; i += blockDim.x) taps[i] = sweep.row[i];
  const Segment<T> segment(sweep, plan.alignment, plan.tiling, strip_width<T>);
  stream.start(segment, 0, 0);
  int half = 0;                           // of the two chunks of inputs
  int slot = 0;                           // of the first row sums of this step
  int first = down - (sweep.height - 1);  // first output of this thread
  for (int k = 1; first - down < segment.rows; ++k, first += plan.step) {
    await_copies<0>();
    __syncthreads();
    stream.start(segment, k, 1 - half);
    add_row_sums<skip_zeros>(plan, inputs + half * chunk_size, taps, ring, slot, plan.step);
    __syncthreads();
    half = 1 - half;
    // the ring holds height - 1 + step rows: the oldest follows the newest
    slot = ring.after(slot, plan.step);
    if (first + outputs > 0) {
      T sum[outputs][n] = {};
      if (sweep.resume) segment.load(first, at, sum);
      column_sums<skip_zeros>(ring, at, ring.after(slot, down), table, sweep.height, sum);
      segment.store(first, at, sweep.finish, sum);
    }
  }
}

/// Fills `count` rows of a ring from `slot` on with one value, by all threads of the block.
template <class T>
__device__ void fill_rows(const Ring<T>& ring, int slot, int count, T value) {
  for (int i = threadIdx.x; i < count * ring.pitch; i += blockDim.x)
    ring.row(ring.after(slot, i / ring.pitch))[i % ring.pitch] = value;
}

/// The same, renormalized over the valid points: a ring of row sums for each of the sums.
///
/// A plain row sum that meets a NaN is one. As long as none does in the whole ring, the plain sums
/// have the bits of the renormalized ones and are all that is summed; the rings of the weights are
/// made up for when one does.
template <class T, bool skip_zeros>
__global__ void __launch_bounds__(384, 1)
    separable_valid(const __grid_constant__ SeparablePlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  T* const inputs = reinterpret_cast<T*>(memory);
  const int chunk_size = plan.step * plan.pitch, plane_size = plan.slots * strip_width<T>;
  const Ring<T> points{inputs + chunks * chunk_size, strip_width<T>, plan.slots};
  const Ring<T> weights{points.rows + plane_size, points.pitch, points.slots};
  const Ring<T> shares{weights.rows + plane_size, points.pitch, points.slots};
  T* const table = points.rows + plan.planes * plane_size;
  T* const taps = table + plan.table;
  const RowStream<T> stream{inputs, plan.pitch, plan.step, sweep.height};
  const int at = threadIdx.x % column_lanes<T> * n, down = threadIdx.x / column_lanes<T> * outputs;
  Table<T>::fill(table, sweep.column, sweep.height, threadIdx.x, blockDim.x);
  T whole = 0, whole_share = 0;  // weights of a row that meets no NaN
  for (int i = 0; i < sweep.width; ++i) {
    whole = fused(sweep.row[i], T(1), whole);
    whole_share = fused(abs(sweep.row[i]), T(1), whole_share);
  }
  for (int i = threadIdx.x; i < sweep.width; i += blockDim.x) taps[i] = sweep.row[i];
  const Segment<T> segment(sweep, plan.alignment, plan.tiling, strip_width<T>);
  const auto fill_weights = [&](int slot, int count) {
    fill_rows(weights, slot, count, whole);
    if (plan.planes == 3) fill_rows(shares, slot, count, whole_share);
  };
  stream.start(segment, 0, 0);
  int half = 0, slot = 0, first = down - (sweep.height - 1);
  // steps since one met a NaN, and after how many of these the ring holds nothing of it
  const int forgets = (plan.slots + plan.step - 1) / plan.step;
  int quiet = forgets;
  for (int k = 1; first - down < segment.rows; ++k, first += plan.step) {
    await_copies<0>();
    __syncthreads();
    stream.start(segment, k, 1 - half);
    const T* const rows = inputs + half * chunk_size;
    const bool meets_nan = add_row_sums<skip_zeros>(plan, rows, taps, points, slot, plan.step);
    if (__syncthreads_or(meets_nan || !sweep.keep_whole)) {
      if (quiet >= forgets) fill_weights(points.after(slot, plan.step), plan.slots - plan.step);
      add_row_sums<skip_zeros, Summed::valid_points>(plan, rows, taps, points, slot, plan.step);
      add_row_sums<skip_zeros, Summed::taps>(plan, rows, taps, weights, slot, plan.step);
      if (plan.planes == 3)
        add_row_sums<skip_zeros, Summed::absolute_taps>(plan, rows, taps, shares, slot, plan.step);
      quiet = 0;
      __syncthreads();
    } else if (++quiet < forgets) {
      fill_weights(slot, plan.step);
      __syncthreads();
    }
    half = 1 - half;
    slot = points.after(slot, plan.step);
    if (first + outputs <= 0) continue;
    const int from = points.after(slot, down);
    T sum[outputs][n] = {};
    column_sums<skip_zeros>(points, at, from, table, sweep.height, sum);
    if (quiet < forgets) {
      T weight[outputs][n] = {}, share[outputs][n] = {};
      column_sums<skip_zeros>(weights, at, from, table, sweep.height, weight);
      if (plan.planes == 3)
        column_sums<skip_zeros, Summed::absolute_taps>(shares, at, from, table, sweep.height,
                                                       share);
#pragma unroll
      for (int r = 0; r < outputs; ++r) {
#pragma unroll
        for (int v = 0; v < n; ++v)
          sum[r][v] =
              rescaled(sum[r][v], weight[r][v], plan.planes == 3 ? share[r][v] : abs(weight[r][v]),
                       sweep.weights.total, sweep.weights.threshold);
      }
    }
    segment.store(first, at, true, sum);
  }
}

template <class T>
auto kernel_for(const Sweep<T>& sweep) {
  if (sweep.weights.wanted)
    return sweep.skip_zeros ? separable_valid<T, true> : separable_valid<T, false>;
  return sweep.skip_zeros ? separable<T, true> : separable<T, false>;
}

}  // namespace

template <class T>
bool fits_separable(const Sweep<T>& sweep) {
  SeparablePlan<T> plan;
  return find_plan(sweep, kernel_for(sweep), plan);
}

template <class T>
void launch_separable(const Sweep<T>& sweep, CUstream_st* stream) {
  SeparablePlan<T> plan;
  find_plan(sweep, kernel_for(sweep), plan);
  launch_plan(kernel_for(sweep), plan, "cuda separable", stream);
}

template bool fits_separable(const Sweep<float>&);
template bool fits_separable(const Sweep<double>&);
template void launch_separable(const Sweep<float>&, CUstream_st*);
template void launch_separable(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda

// Renormalized masks of any size. Rows of a strip pass through a ring in shared memory; each thread
// sums `outputs` rows of one chunk of columns, over the taps in chunks: a chunk of inputs is read
// once for all rows.
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/ring.cuh"

namespace stencil::cuda {
namespace {

constexpr int outputs = 4, most_threads = 256;

template <class T>
constexpr int columns = 32 * chunk<T>;  // of a warp

template <class T>
__host__ __device__ int whole_chunks(int n) {
  return (n + chunk<T> - 1) / chunk<T> * chunk<T>;
}

/// Sums of one thread and its window of two chunks of inputs.
///
/// @param tail  taps in the last chunk of a mask row, 1 to a chunk
template <class T, int tail, bool skip_zeros, Summed what>
struct Block {
  static constexpr int n = chunk<T>;
  T sum[outputs][n] = {};
  T window[2 * n];

  __device__ __forceinline__ void read(const T* from, int half) {
    load_chunk(from, window + half * n);
#pragma unroll
    for (int v = 0; v < n; ++v) window[half * n + v] = met<what>(window[half * n + v]);
  }

  /// `count` taps of one mask row, over inputs that begin in half c of the window.
  template <int c, int count>
  __device__ __forceinline__ void add(int r, const T* taps) {
    T tap[n];
    load_chunk(taps, tap);
#pragma unroll
    for (int e = 0; e < count; ++e) {
      if (skip_zeros && tap[e] == 0) continue;
#pragma unroll
      for (int v = 0; v < n; ++v)
        sum[r][v] = fused(weighed<what>(tap[e]), window[(c * n + e + v) % (2 * n)], sum[r][v]);
    }
  }

  /// `count` taps of all mask rows that meet input row k; `edge` where these are not `outputs`.
  template <int c, int count, bool edge>
  __device__ __forceinline__ void add_chunk(const T* from, const T* taps, int pitch, int k,
                                            int height) {
    read(from + n, 1 - c);
#pragma unroll
    for (int r = 0; r < outputs; ++r) {
      if (edge && (k < r || k - r >= height)) continue;
      add<c, count>(r, taps - r * pitch);
    }
  }

  /// @param taps  of mask row k
  template <bool edge>
  __device__ __forceinline__ void add_row(const T* from, const T* taps, int pitch, int k,
                                          int height) {
    read(from, 0);
    int left = pitch / n - 1;  // whole chunks before the last one
    for (; left >= 2; left -= 2, from += 2 * n, taps += 2 * n) {
      add_chunk<0, n, edge>(from, taps, pitch, k, height);
      add_chunk<1, n, edge>(from + n, taps + n, pitch, k, height);
    }
    if (left == 0) return add_chunk<0, tail, edge>(from, taps, pitch, k, height);
    add_chunk<0, n, edge>(from, taps, pitch, k, height);
    add_chunk<1, tail, edge>(from + n, taps + n, pitch, k, height);
  }

  /// All taps, over the ring's rows from `slot` on.
  __device__ __forceinline__ void add_all(const Ring<T>& ring, int slot, int at, const T* taps,
                                          int height, int width) {
    const int pitch = whole_chunks<T>(width);
    for (int k = 0; k < height + outputs - 1; ++k, slot = ring.after(slot, 1), taps += pitch) {
      const T* const from = ring.row(slot) + at;
      if (k >= outputs - 1 && k < height) {
        add_row<false>(from, taps, pitch, k, height);
      } else {
        add_row<true>(from, taps, pitch, k, height);
      }
    }
  }
};

/// Whether the plain sums of a warp stand as they are, though points may be missing: a sum that
/// meets a NaN is one, and one that meets none has the bits of the renormalized sum.
template <class T>
__device__ __forceinline__ bool stand(const Sweep<T>& sweep, const T (&sum)[outputs][chunk<T>]) {
  bool meets_none = sweep.keep_whole;
#pragma unroll
  for (int r = 0; r < outputs; ++r) {
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v) meets_none = meets_none && sum[r][v] == sum[r][v];
  }
  return __all_sync(~0u, meets_none);
}

/// Renormalized sums: of the valid points over those of their taps.
template <class T, int tail, bool skip_zeros>
__device__ __forceinline__ void renormalize(const Sweep<T>& sweep, const Ring<T>& ring, int slot,
                                            int at, const T* taps, T (&sum)[outputs][chunk<T>]) {
  Block<T, tail, skip_zeros, Summed::valid_points> points;
  points.add_all(ring, slot, at, taps, sweep.height, sweep.width);
  Block<T, tail, skip_zeros, Summed::taps> weight;
  weight.add_all(ring, slot, at, taps, sweep.height, sweep.width);
  Block<T, tail, skip_zeros, Summed::absolute_taps> share;
  if (sweep.weights.mixed) share.add_all(ring, slot, at, taps, sweep.height, sweep.width);
#pragma unroll
  for (int r = 0; r < outputs; ++r) {
#pragma unroll
    for (int v = 0; v < chunk<T>; ++v) {
      const T all = weight.sum[r][v];
      sum[r][v] = rescaled(points.sum[r][v], all, sweep.weights.mixed ? share.sum[r][v] : abs(all),
                           sweep.weights.total, sweep.weights.threshold);
    }
  }
}

template <class T, int tail, bool skip_zeros>
__global__ void __launch_bounds__(most_threads, 2)
    dense_valid(const __grid_constant__ RingPlan<T> plan) {
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  T* const taps = plan.taps_in(memory);
  const RowStream<T> stream = plan.stream_in(memory);
  const Ring<T> ring = plan.ring_in(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = warp % plan.across * columns<T> + lane * chunk<T>;
  const int down = warp / plan.across * outputs, pitch = whole_chunks<T>(sweep.width);
  for (int k = threadIdx.x; k < sweep.height * pitch; k += blockDim.x) {
    const int i = k % pitch;
    taps[k] = i < sweep.width ? sweep.taps[k / pitch * sweep.width + i] : T(0);
  }
  const Segment<T> segment(plan.sweep, plan.alignment, plan.tiling, plan.width);
  walk_down(plan, segment, stream, [&](int y, int slot) {
    Block<T, tail, skip_zeros, Summed::points> block;
    const int from = ring.after(slot, down);
    block.add_all(ring, from, at, taps, sweep.height, sweep.width);
    if (!stand(sweep, block.sum))
      renormalize<T, tail, skip_zeros>(sweep, ring, from, at, taps, block.sum);
    segment.store(y + down, at, true, block.sum);
  });
}

template <class T>
RingPlan<T> plan_dense(const Sweep<T>& sweep, int down) {
  RingPlan<T> plan{};
  plan.sweep = sweep;
  plan.across = 1;
  plan.down = down;
  plan.width = columns<T>;
  plan.row_width = plan.width + whole_chunks<T>(sweep.width);
  plan.step = down * outputs;
  plan.taps = sweep.height * whole_chunks<T>(sweep.width);
  plan.lay_out(sweep.height);
  return plan;
}

template <class T>
auto kernel_for(const Sweep<T>& sweep) {
  constexpr int n = chunk<T>;
  const int tail = (sweep.width - 1) % n + 1;
  // taps that pad a row are 0, and skipped like the others
  if (sweep.skip_zeros) return dense_valid<T, n, true>;
  if (tail == 1) return dense_valid<T, 1, false>;
  if constexpr (n == 4) {
    if (tail == 2) return dense_valid<T, 2, false>;
    if (tail == 3) return dense_valid<T, 3, false>;
  }
  return dense_valid<T, n, false>;
}

template <class T>
bool find_plan(const Sweep<T>& sweep, RingPlan<T>& best) {
  return choose_plan(kernel_for(sweep),
                     {plan_dense(sweep, 4), plan_dense(sweep, 8), plan_dense(sweep, 2)}, best, 128);
}

}  // namespace

template <class T>
bool fits_dense_valid(const Sweep<T>& sweep) {
  RingPlan<T> plan;
  return long(sweep.height) * sweep.width < 50000 && find_plan(sweep, plan);
}

template <class T>
void launch_dense_valid(const Sweep<T>& sweep, CUstream_st* stream) {
  RingPlan<T> plan;
  find_plan(sweep, plan);
  launch_plan(kernel_for(sweep), plan, "cuda dense over valid points", stream);
}

template bool fits_dense_valid(const Sweep<float>&);
template bool fits_dense_valid(const Sweep<double>&);
template void launch_dense_valid(const Sweep<float>&, CUstream_st*);
template void launch_dense_valid(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda

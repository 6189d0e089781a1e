// Masks of any size. Rows of a strip pass through a ring in shared memory; each thread sums a block
// of `outputs` rows by `groups` chunks of columns, over the taps in chunks: a chunk of taps is read
// once for all columns, a chunk of inputs once for all rows.
#include <cuda_runtime.h>

#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/production/ring.cuh"

namespace stencil::cuda {
namespace {

constexpr int outputs = 4, groups = 2, most_threads = 256;

template <class T>
constexpr int warp_columns = 32 * groups* chunk<T>;

template <class T>
__host__ __device__ int whole_chunks(int n) {
  return (n + chunk<T> - 1) / chunk<T> * chunk<T>;
}

/// Sums of one thread and its window of two chunks of inputs per group.
///
/// @param tail  taps in the last chunk of a mask row, 1 to a chunk
template <class T, int tail, bool skip_zeros>
struct Block {
  static constexpr int n = chunk<T>;
  T sum[groups][outputs][n] = {};
  T window[groups][2 * n];

  __device__ __forceinline__ void read(const T* from, int half) {
#pragma unroll
    for (int g = 0; g < groups; ++g) load_chunk(from + g * 32 * n, window[g] + half * n);
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
      for (int g = 0; g < groups; ++g) {
#pragma unroll
        for (int v = 0; v < n; ++v)
          sum[g][r][v] = fused(tap[e], window[g][(c * n + e + v) % (2 * n)], sum[g][r][v]);
      }
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
};

template <class T, int tail, bool skip_zeros>
__global__ void __launch_bounds__(most_threads, 2) dense(const __grid_constant__ RingPlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  const Sweep<T>& sweep = plan.sweep;
  T* const taps = plan.taps_in(memory);
  const RowStream<T> stream = plan.stream_in(memory);
  const Ring<T> ring = plan.ring_in(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = warp % plan.across * warp_columns<T> + lane * n;
  const int down = warp / plan.across * outputs, pitch = whole_chunks<T>(sweep.width);
  for (int k = threadIdx.x; k < sweep.height * pitch; k += blockDim.x) {
    const int i = k % pitch;
    taps[k] = i < sweep.width ? sweep.taps[k / pitch * sweep.width + i] : T(0);
  }
  const Segment<T> segment(plan.sweep, plan.alignment, plan.tiling, plan.width);
  walk_down(plan, segment, stream, [&](int y, int slot) {
    Block<T, tail, skip_zeros> block;
    if (sweep.resume) {
#pragma unroll
      for (int g = 0; g < groups; ++g) segment.load(y + down, at + g * 32 * n, block.sum[g]);
    }
    int from = ring.after(slot, down);
    const T* row_taps = taps;
    for (int k = 0; k < sweep.height + outputs - 1; ++k) {
      const T* const data = ring.row(from) + at;
      if (k >= outputs - 1 && k < sweep.height) {
        block.template add_row<false>(data, row_taps, pitch, k, sweep.height);
      } else {
        block.template add_row<true>(data, row_taps, pitch, k, sweep.height);
      }
      from = ring.after(from, 1);
      row_taps += pitch;
    }
#pragma unroll
    for (int g = 0; g < groups; ++g)
      segment.store(y + down, at + g * 32 * n, sweep.finish, block.sum[g]);
  });
}

template <class T>
RingPlan<T> plan_dense(const Sweep<T>& sweep, int down) {
  RingPlan<T> plan{};
  plan.sweep = sweep;
  plan.across = 1;
  plan.down = down;
  plan.width = warp_columns<T>;
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
  if (sweep.skip_zeros) return dense<T, n, true>;
  if (tail == 1) return dense<T, 1, false>;
  if constexpr (n == 4) {
    if (tail == 2) return dense<T, 2, false>;
    if (tail == 3) return dense<T, 3, false>;
  }
  return dense<T, n, false>;
}

template <class T>
bool find_plan(const Sweep<T>& sweep, RingPlan<T>& best) {
  return choose_plan(kernel_for(sweep),
                     {plan_dense(sweep, 4), plan_dense(sweep, 8), plan_dense(sweep, 2)}, best, 128);
}

}  // namespace

template <class T>
bool fits_dense(const Sweep<T>& sweep) {
  RingPlan<T> plan;
  return long(sweep.height) * sweep.width < 50000 && find_plan(sweep, plan);
}

template <class T>
void launch_dense(const Sweep<T>& sweep, CUstream_st* stream) {
  RingPlan<T> plan;
  find_plan(sweep, plan);
  launch_plan(kernel_for(sweep), plan, "cuda dense", stream);
}

template bool fits_dense(const Sweep<float>&);
template bool fits_dense(const Sweep<double>&);
template void launch_dense(const Sweep<float>&, CUstream_st*);
template void launch_dense(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda

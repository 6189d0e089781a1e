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
template <class T, bool skip_zeros>
struct Block {
  static constexpr int n = chunk<T>;
  T sum[outputs][groups][n] = {};
  T window[groups][2 * n];

  /// One chunk of taps of one mask row, over inputs that begin in half c of the window.
  template <int c>
  __device__ __forceinline__ void add(int r, const T* taps, int count) {
    T tap[n];
    load_chunk(taps, tap);
#pragma unroll
    for (int e = 0; e < n; ++e) {
      if (e >= count || (skip_zeros && tap[e] == 0)) continue;
#pragma unroll
      for (int g = 0; g < groups; ++g) {
#pragma unroll
        for (int v = 0; v < n; ++v)
          sum[r][g][v] = fused(tap[e], window[g][(c * n + e + v) % (2 * n)], sum[r][g][v]);
      }
    }
  }

  /// One chunk of taps of all mask rows that meet input row k.
  template <int c>
  __device__ __forceinline__ void add_chunk(const T* from, const T* taps, int at, int k, int height,
                                            int width) {
    const int pitch = whole_chunks<T>(width);
#pragma unroll
    for (int g = 0; g < groups; ++g)
      load_chunk(from + g * 32 * n + at + n, window[g] + (1 - c) * n);
#pragma unroll
    for (int r = 0; r < outputs; ++r) {
      const int j = k - r;
      if (j < 0 || j >= height) continue;
      const T* const chunk_of_taps = taps + j * pitch + at;
      if (at + n <= width) {
        add<c>(r, chunk_of_taps, n);
      } else {
        add<c>(r, chunk_of_taps, width - at);
      }
    }
  }

  __device__ __forceinline__ void add_row(const T* from, const T* taps, int k, int height,
                                          int width) {
#pragma unroll
    for (int g = 0; g < groups; ++g) load_chunk(from + g * 32 * n, window[g]);
    for (int at = 0; at < width; at += 2 * n) {
      add_chunk<0>(from, taps, at, k, height, width);
      if (at + n < width) add_chunk<1>(from, taps, at + n, k, height, width);
    }
  }
};

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(most_threads, 2) dense(const __grid_constant__ RingPlan<T> plan) {
  constexpr int n = chunk<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const taps = reinterpret_cast<T*>(memory);
  const Ring<T> ring{taps + plan.taps, plan.pitch, plan.slots};
  const Sweep<T>& sweep = plan.sweep;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = warp % plan.across * warp_columns<T> + lane * n;
  const int down = warp / plan.across * outputs;
  for (int k = threadIdx.x; k < sweep.height * sweep.width; k += blockDim.x)
    taps[k / sweep.width * whole_chunks<T>(sweep.width) + k % sweep.width] = sweep.taps[k];
  for (long tile = blockIdx.x; tile < plan.tiling.count; tile += gridDim.x) {
    const Segment<T> segment(sweep, plan.alignment, plan.tiling, plan.width, tile);
    walk_down(plan, segment, ring, [&](int y, int slot) {
      Block<T, skip_zeros> block;
      if (sweep.resume) {
#pragma unroll
        for (int r = 0; r < outputs; ++r)
          for (int g = 0; g < groups; ++g)
            segment.load(y + down + r, at + g * 32 * n, block.sum[r][g]);
      }
      int from = ring.after(slot, down);
      for (int k = 0; k < sweep.height + outputs - 1; ++k, from = ring.after(from, 1))
        block.add_row(ring.row(from) + at, taps, k, sweep.height, sweep.width);
#pragma unroll
      for (int r = 0; r < outputs; ++r)
#pragma unroll
        for (int g = 0; g < groups; ++g)
          segment.store(y + down + r, at + g * 32 * n, sweep.finish, block.sum[r][g]);
    });
  }
}

template <class T>
RingPlan<T> plan_dense(const Sweep<T>& sweep, int across, int down) {
  RingPlan<T> plan{sweep, align_tiles(sweep), {}, across, down, 0, 0, 0, 0, 0, 0};
  plan.width = across * warp_columns<T>;
  plan.pitch = plan.width + whole_chunks<T>(sweep.width) + chunk<T>;
  plan.step = down * outputs;
  plan.slots = sweep.height - 1 + 2 * plan.step;
  plan.taps = sweep.height * whole_chunks<T>(sweep.width);
  plan.bytes = sizeof(T) * (std::size_t(plan.taps) + std::size_t(plan.slots) * plan.pitch);
  return plan;
}

template <class T>
bool find_plan(const Sweep<T>& sweep, RingPlan<T>& best) {
  const auto kernel = sweep.skip_zeros ? dense<T, true> : dense<T, false>;
  return choose_plan(kernel,
                     {plan_dense(sweep, 1, 4), plan_dense(sweep, 1, 8), plan_dense(sweep, 1, 2)},
                     best, 128);
}

}  // namespace

template <class T>
bool fits_dense(const Sweep<T>& sweep) {
  RingPlan<T> plan;
  return long(sweep.height) * sweep.width < 50000 && find_plan(sweep, plan);
}

template <class T>
void launch_dense(const Sweep<T>& sweep, CUstream_st* stream) {
  const auto kernel = sweep.skip_zeros ? dense<T, true> : dense<T, false>;
  RingPlan<T> plan;
  find_plan(sweep, plan);
  launch_plan(kernel, plan, "cuda dense", stream);
}

template bool fits_dense(const Sweep<float>&);
template bool fits_dense(const Sweep<double>&);
template void launch_dense(const Sweep<float>&, CUstream_st*);
template void launch_dense(const Sweep<double>&, CUstream_st*);

}  // namespace stencil::cuda

// Several steps in one sweep: a warp walks down a strip of columns and passes every row through all
// steps in its registers.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/launch_plan.cuh"
#include "kernels/cuda/steps/level.cuh"
#include "kernels/cuda/steps/step_work.hpp"

namespace stencil::cuda {

constexpr int lane_columns = 4;  ///< of a lane
constexpr int strip_warps = 4;   ///< of a block, side by side
constexpr int ring_rows = 4;     ///< of inputs that are on their way or waiting; even

template <class T>
struct StepStrips {
  const T* source;              ///< place of the first output, `depth` rows higher
  T* target;                    ///< the first output
  long source_row, target_row;  ///< bytes from row to row
  long source_batch, target_batch;
  long height;        ///< rows of outputs
  int columns, rows;  ///< columns of outputs; rows that a warp makes
  int depth;
  bool wide;  ///< whether four columns of inputs and of outputs always begin 16 bytes
  long blocks_across, parts;
};

/// Columns at either end of a warp's whose results lack inputs and are dropped.
template <unsigned pattern>
__host__ __device__ constexpr int lost_columns(int depth) {
  return has_sides<pattern> ? (depth + lane_columns - 1) / lane_columns * lane_columns : 0;
}
template <unsigned pattern>
__host__ __device__ constexpr int strip_outputs(int depth) {
  return 32 * lane_columns - 2 * lost_columns<pattern>(depth);
}

template <class T>
__device__ __forceinline__ T* moved(T* from, long bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<unsigned long>(from) + bytes);
}

/// Queues the copy of one lane's columns of a row to its places in shared memory; 16 bytes of
/// neighbouring lanes are neighbours, so that no two lanes use the same bank.
///
/// @param first, last  columns that may be read: 16 bytes without any of them are left out; aligned
///                     16 bytes that contain one are within its memory
template <class T>
__device__ __forceinline__ void fetch_row(unsigned to, const T* from, int first, int last) {
  constexpr int count = 16 / int(sizeof(T));
#pragma unroll
  for (int c = 0; c < lane_columns; c += count)
    if (c + count > first && c < last) start_copy<16>(to + 512u * (c / count), from + c);
}

/// The same, column by column, of those in [first, last).
template <class T>
__device__ __forceinline__ void fetch_columns(unsigned to, const T* from, int first, int last) {
  constexpr int count = 16 / int(sizeof(T));
#pragma unroll
  for (int c = 0; c < lane_columns; ++c)
    if (c >= first && c < last)
      start_copy<int(sizeof(T))>(to + 512u * (c / count) + unsigned(sizeof(T)) * (c % count),
                                 from + c);
}

__device__ __forceinline__ void take_row(unsigned from, float (&p)[4]) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(p[0]), "=f"(p[1]), "=f"(p[2]), "=f"(p[3])
               : "r"(from)
               : "memory");
}
__device__ __forceinline__ void take_row(unsigned from, double (&p)[4]) {
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(p[0]), "=d"(p[1]) : "r"(from) : "memory");
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];"
               : "=d"(p[2]), "=d"(p[3])
               : "r"(from + 512)
               : "memory");
}

/// @tparam exact  whether the sweep is as deep as the kernel, and the plan `wide`
template <class T, unsigned pattern, int deepest, bool exact, int resident>
__global__ void __launch_bounds__(32 * strip_warps, resident)
    advance_strips(const __grid_constant__ StepStrips<T> plan,
                   const __grid_constant__ StepTaps<T> taps) {
  constexpr int n = lane_columns;
  static_assert(!exact || deepest % n == 0);
  __shared__ __align__(16) T ring[strip_warps][ring_rows][32 * n];
  const int depth = exact ? deepest : plan.depth;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const long across = blockIdx.x % plan.blocks_across, above = blockIdx.x / plan.blocks_across;
  const long part = above % plan.parts, batch = above / plan.parts, y = part * plan.rows;
  const int lost = lost_columns<pattern>(depth);
  // this lane's first column of outputs
  const int strip = int(across * strip_warps + warp) * strip_outputs<pattern>(depth);
  if (strip >= plan.columns) return;
  const int x = strip - lost + lane * n;
  const int rows = int(min(long(plan.rows), plan.height - y)), reads = rows + 2 * depth;
  // Other lanes compute from arbitrary values, and their results reach no output.
  const bool writes = lane * n >= lost && lane * n < 32 * n - lost && x < plan.columns;
  const unsigned written = writes ? unsigned(rows) : 0;

  const int reach = has_sides<pattern> ? depth : 0;
  const int readable = exact ? min(max(x, -reach), plan.columns + reach - n) : x;
  const T* from = moved(plan.source + readable, batch * plan.source_batch + y * plan.source_row);
  T* to = moved(plan.target + x, batch * plan.target_batch + (y - 2 * depth) * plan.target_row);
  const unsigned mine = unsigned(__cvta_generic_to_shared(&ring[warp][0][0])) + 16u * lane;
  constexpr unsigned row_bytes = 32 * n * sizeof(T);
  const auto fetch = [&](int slot) {
    const unsigned place = mine + row_bytes * slot;
    if constexpr (exact)
      fetch_row(place, from, 0, n);
    else if (plan.wide)
      fetch_row(place, from, -reach - x, plan.columns + reach - x);
    else
      fetch_columns(place, from, -reach - x, plan.columns + reach - x);
  };

  T sums[deepest][2][n] = {};
#pragma unroll
  for (int k = 0; k < ring_rows - 1; ++k) {
    if (k < reads) fetch(k);
    from = moved(from, plan.source_row);
    commit_copies();
  }
  for (int i = 0; i < reads; i += ring_rows) {
#pragma unroll
    for (int k = 0; k < ring_rows; ++k) {
      T points[n];
      await_copies<ring_rows - 2>();  // of this lane alone, which reads nothing else
      take_row(mine + row_bytes * k, points);
      if (i + k + ring_rows - 1 < reads) fetch((k + ring_rows - 1) % ring_rows);
      from = moved(from, plan.source_row);
      commit_copies();
#pragma unroll
      for (int level = 0; level < deepest; ++level)
        if (exact || level < depth)  // two rows of sums take turns
          pass_level<pattern>(taps, points, sums[level][k % 2], sums[level][1 - k % 2]);
      if (unsigned(i + k - 2 * depth) < written) {
        if (exact || plan.wide) {
#pragma unroll
          for (int c = 0; c < n; c += 16 / int(sizeof(T))) store_wide(to + c, points + c);
        } else {
#pragma unroll
          for (int c = 0; c < n; ++c) __stcs(to + c, clean(points[c]));
        }
      }
      to = moved(to, plan.target_row);
    }
  }
}

/// @param outputs  columns of a warp
template <auto kernel, class T>
void launch_strips_of(StepStrips<T> plan, long outputs, long batches, const StepTaps<T>& taps,
                      CUstream_st* stream) {
  const long strips = (plan.columns + outputs - 1) / outputs;
  plan.blocks_across = (strips + strip_warps - 1) / strip_warps;
  // of the one GPU that a process has
  static const long resident =
      long(resident_blocks(kernel, 32 * strip_warps, 0)) * multiprocessors();
  const long wanted =
      best_parts(plan.height, plan.blocks_across * batches, resident, 2 * plan.depth);
  plan.rows = int((plan.height + wanted - 1) / wanted);
  plan.parts = (plan.height + plan.rows - 1) / plan.rows;
  const long count = plan.blocks_across * plan.parts * batches;
  kernel<<<unsigned(count), 32 * strip_warps, 0, stream>>>(plan, taps);
  check_launch("several steps");
}

/// @tparam depths  for which there are specialized kernels; the last is the deepest sweep
template <class T, unsigned pattern, int resident, int... depths>
void launch_strips_of(const StepWork<T>& work, const StepArea& area, CUstream_st* stream) {
  const T* const source = work.source + area.y.first * work.source_row + area.x.first;
  T* const target = work.target + area.y.first * work.target_row + area.x.first;
  const bool wide = begins_16_bytes(source, work.source_batch, work.source_row) &&
                    begins_16_bytes(target, work.target_batch, work.target_row);
  const StepStrips<T> plan{.source = source - work.depth * work.source_row,
                           .target = target,
                           .source_row = work.source_row * long(sizeof(T)),
                           .target_row = work.target_row * long(sizeof(T)),
                           .source_batch = work.source_batch * long(sizeof(T)),
                           .target_batch = work.target_batch * long(sizeof(T)),
                           .height = area.y.extent(),
                           .columns = int(area.x.extent()),
                           .rows = 0,
                           .depth = work.depth,
                           .wide = wide,
                           .blocks_across = 0,
                           .parts = 0};
  StepTaps<T> taps;
  std::copy(work.taps, work.taps + 9, taps.values);
  const auto launch = [&]<auto kernel>() {
    launch_strips_of<kernel>(plan, strip_outputs<pattern>(work.depth), work.batches, taps, stream);
  };
  const auto try_depth = [&]<int depth>() {
    if (!wide || work.depth != depth) return false;
    // a kernel of a third of the depth has a third of the registers
    constexpr int blocks = depth <= 4 ? 2 * resident : resident;
    launch.template operator()<advance_strips<T, pattern, depth, true, blocks>>();
    return true;
  };
  if ((try_depth.template operator()<depths>() || ...)) return;
  constexpr int deepest = std::max({depths...});
  static_assert(deepest == deepest_gpu_sweep(pattern), "plans count on it");
  launch.template operator()<advance_strips<T, pattern, deepest, false, resident>>();
}

}  // namespace stencil::cuda

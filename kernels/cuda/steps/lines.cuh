// Several steps in one sweep of masks of one row: a warp keeps a part of a row in its registers.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/steps/level.cuh"
#include "kernels/cuda/steps/step_work.hpp"

namespace stencil::cuda {

constexpr int line_columns = 16;  ///< of a lane
constexpr int line_warps = 4;     ///< of a block

template <class T>
struct LinePlan {
  const T* source;  ///< the first output's place, and where it goes
  T* target;
  long source_row, target_row, source_batch, target_batch;  ///< elements
  long height, columns;                                     ///< of the outputs
  long parts, all;  ///< of a row, one for each warp; of all rows
  int depth, lost;  ///< columns at either end of a warp's that its neighbours compute, too
  bool wide;        ///< whether 16 bytes of inputs and of outputs always begin 16 bytes
};

/// Whether any, and whether all of `count` columns from x on lie in [first, last).
__device__ __forceinline__ bool any_inside(long x, int count, long first, long last) {
  return x + count > first && x < last;
}
__device__ __forceinline__ bool all_inside(long x, int count, long first, long last) {
  return x >= first && x + count <= last;
}

template <class T>
__global__ void __launch_bounds__(32 * line_warps)
    advance_lines(const __grid_constant__ LinePlan<T> plan,
                  const __grid_constant__ StepTaps<T> taps) {
  constexpr int n = line_columns, piece = 16 / int(sizeof(T));
  const int lane = threadIdx.x % 32;
  const long part = long(blockIdx.x) * line_warps + threadIdx.x / 32;
  if (part >= plan.all) return;
  const long row = part / plan.parts;
  const int outputs = 32 * n - 2 * plan.lost;
  const long batch = row / plan.height, y = row % plan.height;
  // of the first column of this lane
  const long x = part % plan.parts * outputs - plan.lost + lane * n;
  const T* const from = plan.source + batch * plan.source_batch + y * plan.source_row + x;
  T points[n];
#pragma unroll
  for (int k = 0; k < n; k += piece) {
    const long first = -plan.depth, last = plan.columns + plan.depth;
    if (plan.wide && any_inside(x + k, piece, first, last)) {  // aligned: all of it is memory
      load_wide(from + k, points + k);
    } else {
#pragma unroll
      for (int c = k; c < k + piece; ++c)
        points[c] = !plan.wide && any_inside(x + c, 1, first, last) ? from[c] : T(0);
    }
  }
  for (int level = 0; level < plan.depth; ++level) {
    T inputs[n + 2];
    inputs[0] = __shfl_up_sync(~0u, points[n - 1], 1);
    inputs[n + 1] = __shfl_down_sync(~0u, points[0], 1);
#pragma unroll
    for (int c = 0; c < n; ++c) {
      inputs[c + 1] = points[c];
      points[c] = 0;
    }
    add_row<row_pattern, 1>(taps, inputs, points);
  }
  T* const to = plan.target + batch * plan.target_batch + y * plan.target_row + x;
#pragma unroll
  for (int k = 0; k < n; k += piece) {
    const int place = lane * n + k;
    if (place < plan.lost || place >= 32 * n - plan.lost) continue;
    if (plan.wide && all_inside(x + k, piece, 0, plan.columns)) {
      store_wide(to + k, points + k);
    } else {
#pragma unroll
      for (int c = k; c < k + piece; ++c)
        if (x + c < plan.columns) __stcs(to + c, clean(points[c]));
    }
  }
}

template <class T>
void launch_lines(const StepWork<T>& work, const StepArea& area, CUstream_st* stream) {
  const long offset = area.y.first * work.source_row + area.x.first;
  LinePlan<T> plan{.source = work.source + offset,
                   .target = work.target + area.y.first * work.target_row + area.x.first,
                   .source_row = work.source_row,
                   .target_row = work.target_row,
                   .source_batch = work.source_batch,
                   .target_batch = work.target_batch,
                   .height = area.y.extent(),
                   .columns = area.x.extent(),
                   .parts = 0,
                   .all = 0,
                   .depth = work.depth,
                   .lost = (work.depth + 3) / 4 * 4,
                   .wide = false};
  const long outputs = 32 * line_columns - 2 * plan.lost;
  plan.parts = (plan.columns + outputs - 1) / outputs;
  plan.wide = begins_16_bytes(plan.source, work.source_batch, work.source_row) &&
              begins_16_bytes(plan.target, work.target_batch, work.target_row);
  StepTaps<T> taps;
  std::copy(work.taps, work.taps + 9, taps.values);
  plan.all = plan.parts * plan.height * work.batches;
  const long blocks = (plan.all + line_warps - 1) / line_warps;
  advance_lines<T><<<unsigned(blocks), 32 * line_warps, 0, stream>>>(plan, taps);
  check_launch("several steps of lines");
}

}  // namespace stencil::cuda

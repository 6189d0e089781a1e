// Several steps in one sweep at the edges of the world: a block takes the points that its tile
// depends on through all steps in shared memory, and in each step computes the values beyond an
// edge.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/steps/level.cuh"
#include "kernels/cuda/steps/step_work.hpp"

namespace stencil::cuda {

constexpr int frame_threads = 512;

/// One axis of a tile: the points of the start that it depends on are numbered from 0, with one
/// more place at either end for values beyond an edge of the world.
struct TileAxis {
  long start;              ///< the first of them, counted as the block's are
  int count, first, last;  ///< of them all; the tile's outputs
  /// Index of the point whose value is copied to place -1, and of the one for place `count`; -1 if
  /// there is none, because the boundary's value is used there or there is no edge.
  int at_low, at_high;
  bool low_is_value, high_is_value;

  __device__ TileAxis(BoundaryRule rule, Interval world, Interval outputs, int depth) {
    const bool wraps = rule == BoundaryRule::wrap;
    start = outputs.first - depth;
    long end = outputs.last + depth;
    const bool low = !wraps && start <= world.first, high = !wraps && end >= world.last;
    if (low) start = world.first;
    if (high) end = world.last;
    count = int(end - start);
    first = int(outputs.first - start);
    last = int(outputs.last - start);
    low_is_value = low && rule == BoundaryRule::constant;
    high_is_value = high && rule == BoundaryRule::constant;
    const int inside = rule == BoundaryRule::mirror && count > 1 ? 1 : 0;
    at_low = low && !low_is_value ? inside : -1;
    at_high = high && !high_is_value ? count - 1 - inside : -1;
  }

  /// First and last point of a level on which outputs this number of steps later depend.
  __device__ int known_from(int steps) const { return max(first - steps, 0); }
  __device__ int known_to(int steps) const { return min(last + steps, count); }
  /// Whether the boundary's value stands at an index at most one beyond the others.
  __device__ bool is_value(int index) const {
    return (index < 0 && low_is_value) || (index == count && high_is_value);
  }
};

/// A level of a tile in shared memory.
template <class T>
struct TileLevel {
  T* origin;  ///< point (0, 0)
  int pitch;

  /// Stores a point wherever it stands.
  __device__ void store(const TileAxis& rows, const TileAxis& columns, int r, int c,
                        T value) const {
    store_along(columns, r * pitch, c, value);
    if (r == rows.at_low) store_along(columns, -pitch, c, value);
    if (r == rows.at_high) store_along(columns, rows.count * pitch, c, value);
  }

 private:
  __device__ void store_along(const TileAxis& columns, int row, int c, T value) const {
    origin[row + c] = value;
    if (c == columns.at_low) origin[row - 1] = value;
    if (c == columns.at_high) origin[row + columns.count] = value;
  }
};

/// An area of outputs, cut into tiles.
struct FrameArea {
  Interval y, x;
  int tile_rows, tile_columns;
  long across, tiles;  ///< tiles side by side; all
};

constexpr int most_areas = 4;

template <class T>
struct FramePlan {
  StepWork<T> work;
  Interval world[2];
  BoundaryRule rule[2];
  T value;  ///< where a rule is `constant`
  FrameArea areas[most_areas];
  long tiles;  ///< of all areas
};

/// What an output at `at` adds of the row there.
template <unsigned pattern, class T>
__device__ __forceinline__ void load_row(const StepTaps<T>& taps, const T* at,
                                         T (&row)[row_size<pattern, 1>]) {
  const T inputs[3] = {at[-1], at[0], at[1]};
  make_row<pattern>(taps, inputs, row);
}

template <class T, unsigned pattern>
__global__ void __launch_bounds__(frame_threads)
    advance_frame(const __grid_constant__ FramePlan<T> plan,
                  const __grid_constant__ StepTaps<T> taps) {
  extern __shared__ __align__(16) unsigned char memory[];
  const long batch = blockIdx.x / plan.tiles;
  long tile = blockIdx.x % plan.tiles;
  int which = 0;
  while (tile >= plan.areas[which].tiles) tile -= plan.areas[which++].tiles;
  const FrameArea& area = plan.areas[which];
  const long y = area.y.first + tile / area.across * area.tile_rows;
  const long x = area.x.first + tile % area.across * area.tile_columns;
  const int depth = plan.work.depth;
  const TileAxis rows(plan.rule[0], plan.world[0], {y, min(area.y.last, y + area.tile_rows)},
                      has_rows<pattern> ? depth : 0);
  const TileAxis columns(plan.rule[1], plan.world[1], {x, min(area.x.last, x + area.tile_columns)},
                         has_sides<pattern> ? depth : 0);
  const T* const source = plan.work.source + batch * plan.work.source_batch +
                          rows.start * plan.work.source_row + columns.start;
  T* const target = plan.work.target + batch * plan.work.target_batch +
                    rows.start * plan.work.target_row + columns.start;

  const int pitch = columns.count + 2, size = pitch * (rows.count + 2);
  T* const origin = reinterpret_cast<T*>(memory) + pitch + 1;
  // a thread keeps its column and a run of rows of it
  const int c = int(threadIdx.x) % pitch - 1, runs = frame_threads / pitch;
  const int length = (rows.count + runs - 1) / runs, begin = int(threadIdx.x) / pitch * length;
  const int end = int(threadIdx.x) < runs * pitch ? min(begin + length, rows.count) : 0;
  for (int r = begin == 0 ? -1 : begin; r < (end == rows.count ? end + 1 : end); ++r) {
    if (rows.is_value(r) || columns.is_value(c))
      origin[r * pitch + c] = origin[size + r * pitch + c] = plan.value;
    else if (r >= 0 && r < rows.count && c >= 0 && c < columns.count)
      TileLevel<T>{origin, pitch}.store(rows, columns, r, c, source[r * plan.work.source_row + c]);
  }
  for (int level = 1; level <= depth; ++level) {
    __syncthreads();
    const int away = depth - level;
    if (c < columns.known_from(away) || c >= columns.known_to(away)) continue;
    const int last = min(end, rows.known_to(away));
    int r = max(begin, rows.known_from(away));
    if (r >= last) continue;
    const TileLevel<T> here{origin + level % 2 * size, pitch};
    const T* from = origin + (level + 1) % 2 * size + r * pitch + c;
    T above[row_size<pattern, 1>], at[row_size<pattern, 1>], under[row_size<pattern, 1>];
    load_row<pattern>(taps, from - pitch, above);
    load_row<pattern>(taps, from, at);
    for (; r < last; ++r) {
      from += pitch;
      load_row<pattern>(taps, from, under);
      T sum[1] = {0};
      add_row<pattern, 0>(taps, above, sum);
      add_row<pattern, 1>(taps, at, sum);
      add_row<pattern, 2>(taps, under, sum);
      if (level < depth)
        here.store(rows, columns, r, c, sum[0]);
      else
        target[r * plan.work.target_row + c] = clean(sum[0]);
#pragma unroll
      for (int i = 0; i < row_size<pattern, 1>; ++i) {
        above[i] = at[i];
        at[i] = under[i];
      }
    }
  }
}

template <class T, unsigned pattern>
void launch_frame_of(const StepWork<T>& work, const StepEdges& edges,
                     const std::vector<StepArea>& areas, CUstream_st* stream) {
  FramePlan<T> plan{};
  plan.work = work;
  for (int k = 0; k < 2; ++k) {
    plan.world[k] = edges.axis[k].world;
    plan.rule[k] = edges.axis[k].rule;
  }
  plan.value = T(edges.value);
  // so that two levels of the deepest sweep fit into the 48 KiB that every GPU gives a block
  constexpr bool is_float = sizeof(T) == 4;
  constexpr long narrow = is_float ? 48 : 27, wide = is_float ? 112 : 47, thin = 16;
  long most = 0;
  for (std::size_t k = 0; k < areas.size(); ++k) {
    FrameArea& area = plan.areas[k];
    area.y = areas[k].y;
    area.x = areas[k].x;
    const long height = area.y.extent(), width = area.x.extent();
    area.tile_rows = int(std::min(height, width <= thin ? wide : narrow));
    area.tile_columns = int(std::min(width, height <= thin ? wide : narrow));
    area.across = (width + area.tile_columns - 1) / area.tile_columns;
    area.tiles = (height + area.tile_rows - 1) / area.tile_rows * area.across;
    plan.tiles += area.tiles;
    const long above = has_rows<pattern> ? work.depth : 0,
               beside = has_sides<pattern> ? work.depth : 0;
    most = std::max(most, (area.tile_rows + 2 * above + 2) * (area.tile_columns + 2 * beside + 2));
  }
  if (plan.tiles == 0) return;
  StepTaps<T> taps;
  std::copy(work.taps, work.taps + 9, taps.values);
  advance_frame<T, pattern><<<unsigned(plan.tiles * work.batches), frame_threads,
                              2 * std::size_t(most) * sizeof(T), stream>>>(plan, taps);
  check_launch("several steps at the edges");
}

}  // namespace stencil::cuda

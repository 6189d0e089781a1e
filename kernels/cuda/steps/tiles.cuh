// Several steps in one sweep at the edges of the world. A block loads the points on which its tile
// depends into shared memory and computes all steps there; in each step it computes the values
// beyond an edge. The kernel is compiled ahead for any mask, and at run time for one mask.
#pragma once

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/generated/step_arguments.hpp"

namespace stencil::cuda {

constexpr int tile_threads = 512;
constexpr int rows_at_once = 4;  ///< outputs that a thread sums together, in consecutive rows

/// One axis of a tile. Index 0 is the first point of the initial level on which the tile depends.
/// On either side of these points there are `reach` more elements; at an edge of the world they
/// hold the values beyond the edge.
struct StepTileAxis {
  long start;                     ///< index of point 0 in the block
  int count, first, last, reach;  ///< number of points; the tile's outputs; half of the mask's side
  bool ends_low, ends_high;       ///< whether point 0 and the last point are at edges of the world
  generated::TileRule rule;

  __device__ StepTileAxis(generated::TileRule edge_rule, long world_first, long world_last,
                          long first_output, long last_output, int depth, int mask_reach)
      : reach(mask_reach), rule(edge_rule) {
    const bool wraps = rule == generated::TileRule::wrap;
    start = first_output - depth * reach;
    long end = last_output + depth * reach;
    ends_low = !wraps && start <= world_first;
    ends_high = !wraps && end >= world_last;
    if (ends_low) start = world_first;
    if (ends_high) end = world_last;
    count = int(end - start);
    first = int(first_output - start);
    last = int(last_output - start);
  }

  /// The points [known_from, known_to) are those on which the outputs depend if `steps` steps
  /// remain.
  __device__ int known_from(int steps) const { return max(first - steps * reach, 0); }
  __device__ int known_to(int steps) const { return min(last + steps * reach, count); }
  __device__ bool is_point(int i) const { return i >= 0 && i < count; }
  /// Returns whether an element that is not a point holds a value beyond an edge of the world.
  __device__ bool is_beyond(int i) const { return i < 0 ? ends_low : ends_high; }
  /// Index of the point whose value an element beyond an edge holds, for rules other than
  /// `constant`.
  __device__ int source(int i) const {
    if (is_point(i)) return i;
    if (rule == generated::TileRule::nearest) return min(max(i, 0), count - 1);
    const int once = rule == generated::TileRule::mirror ? 0 : 1;  // 1: the edge is repeated
    if (once == 0 && count == 1) return 0;
    while (!is_point(i)) i = i < 0 ? -i - once : 2 * (count - 1) - i + once;
    return i;
  }
};

/// Computes the sums of `rows_at_once` outputs of one column.
///
/// @param mask  has height(), width(), is_separable(), multiplies(j, i), tap(j, i), column_tap(j)
///              and row_tap(i)
/// @param at    first input of the first output in shared memory
template <class T, class Mask>
__device__ __forceinline__ void sum_rows(const Mask& mask, const T* at, int pitch,
                                         T (&sums)[rows_at_once]) {
#pragma unroll
  for (int q = 0; q < rows_at_once; ++q) sums[q] = 0;
#pragma unroll
  for (int j = 0; j < mask.height() + rows_at_once - 1; ++j, at += pitch) {
    T along = 0;  // sum along the row, for a separable mask
#pragma unroll
    for (int i = 0; i < mask.width(); ++i) {
      const T input = at[i];
      if (mask.is_separable()) {
        along = fused(mask.row_tap(i), input, along);
        continue;
      }
#pragma unroll
      for (int q = 0; q < rows_at_once; ++q)
        if (j >= q && j - q < mask.height() && mask.multiplies(j - q, i))
          sums[q] = fused(mask.tap(j - q, i), input, sums[q]);
    }
    if (!mask.is_separable()) continue;
#pragma unroll
    for (int q = 0; q < rows_at_once; ++q)
      if (j >= q && j - q < mask.height()) sums[q] = fused(mask.column_tap(j - q), along, sums[q]);
  }
}

/// Layout of a tile's levels in shared memory, and the elements of one thread: consecutive rows of
/// one column.
struct TilePlaces {
  const StepTileAxis &rows, &columns;
  int pitch;               ///< number of elements from row to row
  int column, begin, end;  ///< column and rows of the thread, which may have no rows

  __device__ TilePlaces(const StepTileAxis& along_y, const StepTileAxis& along_x)
      : rows(along_y), columns(along_x), pitch(along_x.count + 2 * along_x.reach) {
    column = int(threadIdx.x) % pitch - columns.reach;
    const int runs = tile_threads / pitch, run = int(threadIdx.x) / pitch;
    const int length = (rows.count + runs - 1) / runs;
    begin = min(run * length, rows.count);
    end = run < runs ? min(begin + length, rows.count) : begin;
  }

  /// Number of elements of a level, and the offset of point (0, 0) in it.
  __device__ int size() const { return pitch * (rows.count + 2 * rows.reach); }
  __device__ int origin() const { return rows.reach * pitch + columns.reach; }

  /// Computes the values beyond the edges of the world from the points of a level, by all threads
  /// of the block.
  template <class T>
  __device__ void fill_beyond(T* level, T value) const {
    const auto beyond = [](const StepTileAxis& axis, int k) {
      return k < axis.reach ? -1 - k : axis.count + k - axis.reach;
    };
    if (columns.ends_low || columns.ends_high)
      for (int k = int(threadIdx.x); k < 2 * columns.reach * rows.count; k += tile_threads)
        fill_place(level, k % rows.count, beyond(columns, k / rows.count), value);
    if (rows.ends_low || rows.ends_high)
      for (int k = int(threadIdx.x); k < 2 * rows.reach * pitch; k += tile_threads)
        fill_place(level, beyond(rows, k / pitch), k % pitch - columns.reach, value);
  }

 private:
  template <class T>
  __device__ void fill_place(T* level, int r, int c, T value) const {
    const bool is_row = rows.is_point(r), is_column = columns.is_point(c);
    if ((!is_row && !rows.is_beyond(r)) || (!is_column && !columns.is_beyond(c))) return;
    const bool is_value = (!is_row && rows.rule == generated::TileRule::constant) ||
                          (!is_column && columns.rule == generated::TileRule::constant);
    level[r * pitch + c] = is_value ? value : level[rows.source(r) * pitch + columns.source(c)];
  }
};

/// Computes all steps of the tile of this block.
///
/// @param memory  shared memory for two levels and `rows_at_once` rows
template <class T, class Mask>
__device__ __forceinline__ void advance_tile(const generated::TileArguments<T>& a, const Mask& mask,
                                             T* memory) {
  const long batch = blockIdx.x / a.tiles;
  long tile = blockIdx.x % a.tiles;
  int which = 0;
  while (tile >= a.areas[which].tiles) tile -= a.areas[which++].tiles;
  const generated::TileArea& area = a.areas[which];
  const long y = area.first[0] + tile / area.across * area.side[0];
  const long x = area.first[1] + tile % area.across * area.side[1];
  const StepTileAxis rows(a.rule[0], a.world_first[0], a.world_last[0], y,
                          min(area.last[0], y + area.side[0]), a.depth, mask.height() / 2);
  const StepTileAxis columns(a.rule[1], a.world_first[1], a.world_last[1], x,
                             min(area.last[1], x + area.side[1]), a.depth, mask.width() / 2);
  const T* const source =
      a.source + batch * a.source_batch + rows.start * a.source_row + columns.start;
  T* const target = a.target + batch * a.target_batch + rows.start * a.target_row + columns.start;

  const TilePlaces places(rows, columns);
  const int pitch = places.pitch, c = places.column;
  T* const levels = memory + places.origin();
  if (columns.is_point(c))
    for (int r = places.begin; r < places.end; ++r)
      levels[r * pitch + c] = source[r * a.source_row + c];
  for (int level = 1; level <= a.depth; ++level) {
    T* const before = levels + (level + 1) % 2 * places.size();
    T* const here = levels + level % 2 * places.size();
    __syncthreads();
    places.fill_beyond(before, a.value);
    __syncthreads();
    const int away = a.depth - level;
    if (c < columns.known_from(away) || c >= columns.known_to(away)) continue;
    const int last = min(places.end, rows.known_to(away));
    for (int r = max(places.begin, rows.known_from(away)); r < last; r += rows_at_once) {
      T sums[rows_at_once];
      sum_rows(mask, before + (r - rows.reach) * pitch + c - columns.reach, pitch, sums);
#pragma unroll
      for (int q = 0; q < rows_at_once; ++q) {
        if (r + q >= last) continue;
        if (level < a.depth)
          here[(r + q) * pitch + c] = sums[q];
        else
          target[(r + q) * a.target_row + c] = clean(sums[q]);
      }
    }
  }
}

}  // namespace stencil::cuda

#pragma once

#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/tiling.hpp"

namespace stencil::cuda {

/// Rows in a ring of shared memory.
template <class T>
struct Ring {
  T* rows;
  int pitch;  ///< elements from row to row
  int slots;

  __device__ T* row(int slot) const { return rows + slot * pitch; }
  /// The slot `count` rows behind. @pre 0 <= count <= slots
  __device__ int after(int slot, int count) const {
    const int next = slot + count;
    return next >= slots ? next - slots : next;
  }
};

/// One segment of one strip: what a block walks down. Places are relative to its first column.
template <class T>
struct Segment {
  const T* source;  ///< first input of the first output
  T* target;        ///< first output
  long source_row, target_row;
  int rows;                     ///< of outputs
  int first, last;              ///< columns of outputs that exist
  int first_input, last_input;  ///< columns of inputs that exist
  int granule;
  bool aligned_target;

  __device__ Segment(const Sweep<T>& sweep, const Alignment& alignment, const Tiling& tiling,
                     int width, long tile)
      : source_row(sweep.source_row),
        target_row(sweep.target_row),
        granule(alignment.granule),
        aligned_target(alignment.aligned_target) {
    const long strip = tile % tiling.strips, rest = tile / tiling.strips;
    const long segment = rest % tiling.segments, b = rest / tiling.segments;
    const long x = strip * width - alignment.shift, y = segment * tiling.segment_rows;
    source = sweep.source + b * sweep.source_batch + y * source_row + x;
    target = sweep.target + b * sweep.target_batch + y * target_row + x;
    rows = int(min(long(tiling.segment_rows), sweep.rows - y));
    first = first_input = x < 0 ? int(-x) : 0;
    last = int(min(long(width), sweep.columns - x));
    last_input = int(min(long(width + sweep.width - 1), sweep.columns + sweep.width - 1 - x));
  }

  /// Starts the copy of `count` rows of inputs into the ring, by all warps of the block.
  ///
  /// @param row     first of them, relative to the segment
  /// @param height  of the mask: no row behind the last that an output needs is touched
  __device__ void stage(const Ring<T>& ring, int slot, int row, int count, int height) const {
    const int warps = blockDim.x / 32, lane = threadIdx.x % 32;
    count = min(count, rows + height - 1 - row);
    for (int n = threadIdx.x / 32; n < count; n += warps)
      stage_row(ring.row(ring.after(slot, n)), source + (row + n) * source_row, first_input,
                last_input, granule, lane);
  }

  __device__ void store(int y, int at, bool finish, T* sums) const {
    if (y >= rows) return;
    store_results(target + y * target_row, at, first, last, aligned_target, finish, sums);
  }
  __device__ void load(int y, int at, T* sums) const {
    if (y >= rows) return;
    load_results(target + y * target_row, at, first, last, sums);
  }
};

/// What a kernel that walks down segments has to know.
template <class T>
struct RingPlan {
  Sweep<T> sweep;
  Alignment alignment;
  Tiling tiling;
  int across, down;   ///< warps of a block along x and y
  int width;          ///< columns of a strip
  int step;           ///< rows of outputs between two barriers
  int pitch, slots;   ///< of the ring of inputs
  int taps;           ///< elements of shared memory before the ring
  std::size_t bytes;  ///< of shared memory

  int threads() const { return 32 * across * down; }
};

/// Walks down a segment: copies run one step ahead of `compute(y, slot)`, which sums the step's
/// outputs from row y of the segment on, whose first row of inputs is in `slot`.
template <class T, class Compute>
__device__ __forceinline__ void walk_down(const RingPlan<T>& plan, const Segment<T>& segment,
                                          const Ring<T>& ring, const Compute& compute) {
  const int height = plan.sweep.height, step = plan.step;
  segment.stage(ring, 0, 0, height - 1 + step, height);
  commit_copies();
  int slot = 0;
  for (int y = 0; y < segment.rows; y += step) {
    await_copies<0>();
    __syncthreads();
    if (y + step < segment.rows)
      segment.stage(ring, ring.after(slot, height - 1 + step), y + step + height - 1, step, height);
    commit_copies();
    compute(y, slot);
    slot = ring.after(slot, step);
  }
  __syncthreads();
}

}  // namespace stencil::cuda

#pragma once

#include <cstddef>

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
  /// The slot `count` rows later. @pre 0 <= count <= slots
  __device__ int after(int slot, int count) const {
    const int next = slot + count;
    return next >= slots ? next - slots : next;
  }
};

/// The segment of a strip that this block sums. Columns are relative to its first one.
template <class T>
struct Segment {
  T* target;  ///< its first output
  long target_row;
  RowSource<T> source;
  int rows;             ///< of outputs
  int first, last;      ///< columns of outputs that exist
  bool aligned_target;  ///< column 0 is aligned to 16 bytes

  __device__ Segment(const KernelArguments<T>& arguments, const Alignment& alignment,
                     const Tiling& tiling, int width)
      : target_row(arguments.target_row), aligned_target(alignment.aligned_target) {
    const long left = long(blockIdx.x) * width - alignment.shift, b = blockIdx.z;
    const long y = long(blockIdx.y) * tiling.segment_rows;
    target = arguments.target + b * arguments.target_batch + y * target_row + left;
    rows = int(min(long(tiling.segment_rows), arguments.rows - y));
    first = left < 0 ? int(-left) : 0;
    last = int(min(long(width), arguments.columns - left));
    source = {arguments.source + b * arguments.source_batch + y * arguments.source_row + left,
              arguments.source_row, first, last + arguments.width - 1, alignment.granule};
  }

  /// Writes `count` rows of one chunk of results from row `from` and column `at` on, if they exist.
  template <int count>
  __device__ __forceinline__ void store(int from, int at, bool finish,
                                        T (&sum)[count][chunk<T>]) const {
    constexpr int n = chunk<T>;
    T* to = target + from * target_row + at;
    if (finish) {
#pragma unroll
      for (int r = 0; r < count; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v) sum[r][v] = clean(sum[r][v]);
    }
    if (aligned_target && from >= 0 && from + count <= rows && at >= first && at + n <= last) {
#pragma unroll
      for (int r = 0; r < count; ++r, to += target_row) stream_chunk(to, sum[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < count; ++r, to += target_row) {
#pragma unroll
      for (int v = 0; v < n; ++v) {
        if (from + r >= 0 && from + r < rows && at + v >= first && at + v < last) to[v] = sum[r][v];
      }
    }
  }

  /// Reads back what store wrote, to go on with the sums.
  template <int count>
  __device__ __forceinline__ void load(int from, int at, T (&sum)[count][chunk<T>]) const {
    const T* to = target + from * target_row + at;
#pragma unroll
    for (int r = 0; r < count; ++r, to += target_row) {
#pragma unroll
      for (int v = 0; v < chunk<T>; ++v) {
        if (from + r >= 0 && from + r < rows && at + v >= first && at + v < last) sum[r][v] = to[v];
      }
    }
  }
};

/// Rows of a segment's inputs on their way to a ring in shared memory, in chunks of `step` rows.
template <class T>
struct RowStream {
  T* rows;
  int pitch, step;
  int height;  ///< of the mask

  /// Starts the copy of one chunk to a place of the ring, by all warps of the block; nothing where
  /// the segment has no such chunk.
  __device__ void start(const Segment<T>& segment, int chunk_index, int place) const {
    const int begin = chunk_index * step, count = min(step, segment.rows + height - 1 - begin);
    RowSource<T> source = segment.source;
    source.from += begin * source.pitch;
    stage_rows(source, rows + place * step * pitch, pitch, int(threadIdx.x / 32),
               int(blockDim.x / 32), count);
    commit_copies();
  }
};

/// What a kernel that walks down segments has to know.
template <class T>
struct RingPlan {
  KernelArguments<T> arguments;
  Alignment alignment;
  Tiling tiling;
  int across, down;   ///< warps of a block along x and y
  int width;          ///< columns of a strip
  int step;           ///< rows of outputs between two barriers
  int row_width;      ///< elements of a row of inputs in shared memory
  int pitch;          ///< the same in whole chunks
  int needed;         ///< chunks of `step` rows that a step reads
  int chunks;         ///< of the ring
  std::size_t bytes;  ///< of shared memory

  __host__ __device__ int threads() const { return 32 * across * down; }

  /// Completes the plan once across, down, width, step and row_width are set.
  ///
  /// @param rows  of inputs that the outputs of one row read, the mask's height or more
  void lay_out(int rows) {
    alignment = align_tiles(arguments);
    pitch = (row_width + chunk<T> - 1) / chunk<T> * chunk<T>;
    needed = (step + rows - 1 + step - 1) / step;
    chunks = needed + 1;
    bytes = sizeof(T) * std::size_t(chunks) * step * pitch;
  }
  __device__ RowStream<T> stream_in(unsigned char* memory) const {
    return {reinterpret_cast<T*>(memory), pitch, step, arguments.height};
  }
  __device__ Ring<T> ring_in(unsigned char* memory) const {
    return {reinterpret_cast<T*>(memory), pitch, chunks * step};
  }
};

/// Walks down a segment. Copies run one step ahead of `compute(y, slot)`, which sums the step's
/// outputs from row y of the segment on; the first row of their inputs is in `slot` of the ring.
template <class T, class Compute>
__device__ __forceinline__ void walk_down(const RingPlan<T>& plan, const Segment<T>& segment,
                                          const RowStream<T>& stream, const Compute& compute) {
  for (int k = 0; k < plan.needed; ++k) stream.start(segment, k, k);
  int place = 0, free = plan.needed;
  for (int y = 0, k = plan.needed; y < segment.rows; y += plan.step, ++k) {
    await_copies<0>();
    __syncthreads();
    stream.start(segment, k, free);
    compute(y, place * plan.step);
    if (++place == plan.chunks) place = 0;
    if (++free == plan.chunks) free = 0;
  }
}

}  // namespace stencil::cuda

#pragma once

#include "kernels/cuda/production/stage.cuh"
#include "kernels/cuda/production/tiling.hpp"

namespace stencil::cuda {

/// Inputs of one tile in shared memory: rows of `outputs + width - 1` inputs, begun so far ahead of
/// the first that rows lie in shared memory as in a Field, whose owned points begin a cache line.
///
/// Bulk copies want 16 bytes; copies that begin within a sector of 32 bytes cost a tenth of the
/// speed (0.88 of copy instead of 0.98 for 3 x 3 on an H200), so rows begin a line of 64.
template <class T, int width, int outputs>
struct TileShape {
  static constexpr int unit = 64 / int(sizeof(T));
  static constexpr int lead = (unit - width / 2 % unit) % unit;  ///< unused inputs ahead of a row
  static constexpr int skip = lead / chunk<T> * chunk<T>;        ///< those in whole chunks
  static constexpr int sub = lead % chunk<T>;                    ///< and those left over
  static constexpr int pitch = (lead + outputs + width - 1 + unit - 1) / unit * unit;
};

/// How the tiles of a launch lie on memory.
struct TilePlace {
  int shift = 0;      ///< elements that the first tile begins before the first column
  bool bulk = false;  ///< rows of inputs are aligned to 16 bytes as TileShape wants them
  bool aligned_target = false;
};

/// @param lead  of the TileShape
template <class T>
TilePlace place_tiles(const Sweep<T>& sweep, int lead);

/// The part of a sweep that one block sums: `columns` x `rows` outputs from (y, x) on, of which
/// columns [first, last) and rows [0, end) exist.
template <class T>
struct Tile {
  const T* source;  ///< input of output column 0
  T* target;
  long source_row, target_row;
  int first, last, end;
  bool bulk, aligned_target;

  /// The tile of this block: x, y and z of the grid are strips, rows of tiles and batches.
  __device__ Tile(const Sweep<T>& sweep, const TilePlace& place, int columns, int rows)
      : source_row(sweep.source_row),
        target_row(sweep.target_row),
        bulk(place.bulk),
        aligned_target(place.aligned_target) {
    const long x = long(blockIdx.x) * columns - place.shift, y = long(blockIdx.y) * rows;
    source = sweep.source + blockIdx.z * sweep.source_batch + y * source_row + x;
    target = sweep.target + blockIdx.z * sweep.target_batch + y * target_row + x;
    first = x < 0 ? int(-x) : 0;
    last = int(min(long(columns), sweep.columns - x));
    end = int(min(long(rows), sweep.rows - y));
  }

  /// Brings `rows` rows of inputs to shared memory, by all threads of the block, and returns when
  /// they are there. One bulk copy a row, which costs next to no instructions.
  template <class Shape>
  __device__ __forceinline__ void load(int rows, int width, T* inputs, void* barrier) const {
    const int begin = Shape::lead + first, stop = Shape::lead + last + width - 1;
    if (!bulk) return load_by_element<Shape>(rows, begin, stop, inputs);
    const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    // what lies ahead of the first strip may belong to nobody
    const int at = blockIdx.x == 0 ? begin / chunk<T> * chunk<T> : 0;
    const unsigned bytes = unsigned((stop + chunk<T> - 1) / chunk<T> * chunk<T> - at) * sizeof(T);
    if (threadIdx.x == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
                   "r"(bytes * rows)
                   : "memory");
    const T* const from = source - Shape::lead + at;
    for (int row = threadIdx.x; row < rows; row += blockDim.x)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
          "[%3];" ::"r"(
              static_cast<unsigned>(__cvta_generic_to_shared(inputs + row * Shape::pitch + at))),
          "l"(from + row * source_row), "r"(bytes), "r"(bar)
          : "memory");
    asm volatile(
        "{\n.reg .pred p;\nagain%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
        "@!p bra again%=;\n}" ::"r"(bar)
        : "memory");
  }

  /// Writes `count` rows of one chunk of results from row y and column x on, as far as they exist.
  template <int count>
  __device__ __forceinline__ void store(int y, int x, T (&sum)[count][chunk<T>]) const {
    constexpr int n = chunk<T>;
#pragma unroll
    for (int r = 0; r < count; ++r)
#pragma unroll
      for (int v = 0; v < n; ++v) sum[r][v] = clean(sum[r][v]);
    T* to = target + y * target_row + x;
    if (aligned_target && y + count <= end && x >= first && x + n <= last) {
#pragma unroll
      for (int r = 0; r < count; ++r, to += target_row) stream_chunk(to, sum[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < count; ++r, to += target_row) {
#pragma unroll
      for (int v = 0; v < n; ++v) {
        if (y + r < end && x + v >= first && x + v < last) to[v] = sum[r][v];
      }
    }
  }

 private:
  /// For rows that lie otherwise: a warp copies a row, element by element.
  template <class Shape>
  __device__ void load_by_element(int rows, int begin, int stop, T* inputs) const {
    for (int row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
      const T* const from = source - Shape::lead + row * source_row;
      T* const to = inputs + row * Shape::pitch;
#pragma unroll 4
      for (int i = begin + int(threadIdx.x % 32); i < stop; i += 32)
        start_copy<int(sizeof(T))>(to + i, from + i);
    }
    commit_copies();
    await_copies<0>();
    __syncthreads();
  }
};

}  // namespace stencil::cuda

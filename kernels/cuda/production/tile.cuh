#pragma once

#include "kernels/cuda/production/bulk_copy.cuh"
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
  bool bulk, aligned_target, leftmost;

  /// @param strip, row_of_tiles, b  which tile of the launch
  __device__ Tile(const Sweep<T>& sweep, const TilePlace& place, int columns, int rows, long strip,
                  long row_of_tiles, long b)
      : source_row(sweep.source_row),
        target_row(sweep.target_row),
        bulk(place.bulk),
        aligned_target(place.aligned_target),
        leftmost(strip == 0) {
    const long x = strip * columns - place.shift, y = row_of_tiles * rows;
    source = sweep.source + b * sweep.source_batch + y * source_row + x;
    target = sweep.target + b * sweep.target_batch + y * target_row + x;
    first = x < 0 ? int(-x) : 0;
    last = int(min(long(columns), sweep.columns - x));
    end = int(min(long(rows), sweep.rows - y));
  }

  /// The tile of this block: x, y and z of the grid are strips, rows of tiles and batches.
  __device__ Tile(const Sweep<T>& sweep, const TilePlace& place, int columns, int rows)
      : Tile(sweep, place, columns, rows, blockIdx.x, blockIdx.y, blockIdx.z) {}

  /// Starts to bring `rows` rows of inputs to shared memory, by all threads of the block: one bulk
  /// copy a row, which costs next to no instructions.
  template <class Shape>
  __device__ __forceinline__ void start(int rows, int width, T* inputs, unsigned barrier) const {
    if (!bulk) return;
    // what lies ahead of the first strip may belong to nobody
    const int at = leftmost ? (Shape::lead + first) / chunk<T> * chunk<T> : 0;
    const int stop = (Shape::lead + last + width - 1 + chunk<T> - 1) / chunk<T> * chunk<T>;
    const unsigned bytes = unsigned(stop - at) * sizeof(T);
    if (threadIdx.x == 0) expect_bytes(barrier, bytes * rows);
    const T* const from = source - Shape::lead + at;
    for (int row = threadIdx.x; row < rows; row += blockDim.x)
      start_bulk_copy(inputs + row * Shape::pitch + at, from + row * source_row, bytes, barrier);
  }

  /// Returns when what start began is there; brings rows that bulk copies cannot.
  template <class Shape>
  __device__ __forceinline__ void finish(int rows, int width, T* inputs, unsigned barrier,
                                         unsigned phase) const {
    if (bulk) {
      await_phase(barrier, phase);
    } else {
      load_by_element(rows, Shape::lead + first, Shape::lead + last + width - 1, inputs,
                      Shape::lead, Shape::pitch);
    }
  }

  /// Both, for a block of one tile. @param barrier  8 bytes of shared memory
  template <class Shape>
  __device__ __forceinline__ void load(int rows, int width, T* inputs, void* barrier) const {
    const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    if (threadIdx.x == 0) make_barrier(bar);
    __syncthreads();
    start<Shape>(rows, width, inputs, bar);
    finish<Shape>(rows, width, inputs, bar, 0);
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
  __device__ void load_by_element(int rows, int begin, int stop, T* inputs, int lead,
                                  int pitch) const {
    for (int row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
      const T* const from = source - lead + row * source_row;
      T* const to = inputs + row * pitch;
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

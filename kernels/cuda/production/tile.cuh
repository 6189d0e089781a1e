#pragma once

#include "kernels/cuda/production/bulk_copy.cuh"
#include "kernels/cuda/production/kernel_arguments.hpp"
#include "kernels/cuda/production/stage.cuh"

namespace stencil::cuda {

/// Number of unused inputs before a row of inputs, so that the row begins at a cache line, for a
/// mask of `width` taps with its centre at tap width / 2.
template <class T>
__host__ __device__ constexpr int tile_lead(int width) {
  constexpr int unit = 64 / int(sizeof(T));
  return (unit - width / 2 % unit) % unit;
}

/// Number of elements from one row of inputs of a tile in shared memory to the next.
template <class T>
__host__ __device__ constexpr int tile_pitch(int width, int outputs) {
  constexpr int unit = 64 / int(sizeof(T));
  return (tile_lead<T>(width) + outputs + width - 1 + unit - 1) / unit * unit;
}

/// Layout of the inputs of one tile in shared memory: rows of `outputs + width - 1` inputs. Unused
/// inputs precede each row, so that rows have the same alignment in shared memory as in a Field,
/// whose owned points begin at a cache line.
///
/// Bulk copies require an alignment of 16 bytes. Copies that begin within a sector of 32 bytes are
/// a tenth slower (0.88 of the rate of a copy instead of 0.98 for 3 x 3 on an H200), so rows begin
/// at a line of 64 bytes.
template <class T, int width, int outputs>
struct TileShape {
  static constexpr int lead = tile_lead<T>(width);  ///< number of unused elements before a row
  static constexpr int skip = lead / chunk<T> * chunk<T>;  ///< part of `lead` in whole chunks
  static constexpr int sub = lead % chunk<T>;              ///< the rest of `lead`
  static constexpr int pitch = tile_pitch<T>(width, outputs);
};

/// Position and alignment of the tiles of a launch in memory.
struct TilePlace {
  int shift = 0;      ///< number of elements from the start of the first tile to the first column
  bool bulk = false;  ///< rows of inputs are aligned to 16 bytes as TileShape requires
  bool aligned_target = false;
};

/// @param lead  number of unused elements before a row; see TileShape
template <class T>
TilePlace place_tiles(const KernelArguments<T>& arguments, int lead);

/// Returns the lead with which rows of inputs begin at a multiple of `unit` elements in memory, for
/// any centre of the mask. The lead is less than `unit`.
template <class T>
int lead_of_tiles(const KernelArguments<T>& arguments, int unit);

/// The part of a sweep that one block sums: `columns` x `rows` outputs from (y, x) on. Only the
/// outputs in the columns [first, last) and the rows [0, end) of the tile exist.
template <class T>
struct Tile {
  const T* source;  ///< input of output column 0
  T* target;
  long source_row, target_row;
  int first, last, end;
  bool bulk, aligned_target, leftmost;

  /// @param strip, row_of_tiles, b  position of the tile in the launch
  __device__ Tile(const KernelArguments<T>& arguments, const TilePlace& place, int columns,
                  int rows, long strip, long row_of_tiles, long b)
      : source_row(arguments.source_row),
        target_row(arguments.target_row),
        bulk(place.bulk),
        aligned_target(place.aligned_target),
        leftmost(strip == 0) {
    const long x = strip * columns - place.shift, y = row_of_tiles * rows;
    source = arguments.source + b * arguments.source_batch + y * source_row + x;
    target = arguments.target + b * arguments.target_batch + y * target_row + x;
    first = x < 0 ? int(-x) : 0;
    last = int(min(long(columns), arguments.columns - x));
    end = int(min(long(rows), arguments.rows - y));
  }

  /// The tile of this block: x, y and z of the grid are the strip, the row of tiles and the batch.
  __device__ Tile(const KernelArguments<T>& arguments, const TilePlace& place, int columns,
                  int rows)
      : Tile(arguments, place, columns, rows, blockIdx.x, blockIdx.y, blockIdx.z) {}

  /// Starts to copy `rows` rows of inputs to shared memory, by all threads of the block, which are
  /// whole warps. One bulk copy per row takes hardly any instructions.
  ///
  /// @param shape  has the members `lead` and `pitch` of TileShape
  template <class Shape>
  __device__ __forceinline__ void start(const Shape& shape, int rows, int width, T* inputs,
                                        unsigned barrier) const {
    if (!bulk) return;
    const int at = begin(shape), stop = end_of_row(shape, width);
    const unsigned bytes = unsigned(stop - at) * sizeof(T);
    if (threadIdx.x == 0) expect_bytes(barrier, bytes * rows);
    const int first_row = threadIdx.x / 32, step = blockDim.x / 32;
    const T* from = source - shape.lead + at + first_row * source_row;
    T* to = inputs + at + first_row * shape.pitch;
    __syncwarp();
    if (!starts_copies()) return;
    for (int row = first_row; row < rows; row += step) {
      start_row_copy(to, from, bytes, barrier);
      from += step * source_row;
      to += step * shape.pitch;
    }
    end_copies(barrier);
  }

  /// Waits for the copies of start(), and copies rows for which bulk copies are not possible.
  template <class Shape>
  __device__ __forceinline__ void finish(const Shape& shape, int rows, int width, T* inputs,
                                         unsigned barrier, unsigned phase) const {
    if (bulk) {
      await_phase(barrier, phase);
    } else {
      start_by_element(rows, begin(shape), end_of_row(shape, width), inputs, shape.lead,
                       shape.pitch);
      await_all_copies();
    }
  }

  /// Writes zeros to the elements of shared memory that start() and finish() do not copy, by all
  /// threads of the block.
  ///
  /// @param all  number of rows in shared memory
  template <class Shape>
  __device__ __forceinline__ void clear(const Shape& shape, int rows, int all, int width,
                                        T* inputs) const {
    const int at = begin(shape), stop = end_of_row(shape, width);
    for (int row = threadIdx.x / 32; row < all; row += blockDim.x / 32) {
      T* const to = inputs + row * shape.pitch;
      for (int i = threadIdx.x % 32; i < at; i += 32) to[i] = 0;
      for (int i = (row < rows ? stop : at) + threadIdx.x % 32; i < shape.pitch; i += 32) to[i] = 0;
    }
    before_bulk_copies();
  }

  /// Calls start() and finish(), for a block of one tile.
  /// @param barrier  8 bytes of shared memory
  template <class Shape>
  __device__ __forceinline__ void load(const Shape& shape, int rows, int width, T* inputs,
                                       void* barrier) const {
    const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
    if (threadIdx.x == 0) make_barrier(bar, blockDim.x);
    __syncthreads();
    start(shape, rows, width, inputs, bar);
    finish(shape, rows, width, inputs, bar, 0);
  }

  /// Starts to copy rows of `lanes` chunks, one chunk for each thread; such rows are too short for
  /// bulk copies. The rows are `pitch` elements apart in shared memory. The caller commits and
  /// awaits the copies.
  template <int lanes, int pitch>
  __device__ __forceinline__ void start_narrow(int rows, T* inputs) const {
    constexpr int n = chunk<T>;
    if (!bulk) {
      start_by_element(rows, first, last, inputs, 0, pitch);
      return;
    }
    const int x = threadIdx.x % lanes * n, lines = blockDim.x / lanes;
    int row = threadIdx.x / lanes;
    if (x < last && (!leftmost || x + n > first)) {
      const T* from = source + row * source_row + x;
      T* to = inputs + row * pitch + x;
#pragma unroll 4
      for (; row < rows; row += lines, from += lines * source_row, to += lines * pitch)
        start_copy<16>(to, from);
    }
  }

  /// Writes `count` rows of whole chunks of results, beginning at row y and column x. Results that
  /// do not exist are not written.
  ///
  /// @param finished  whether the sums are results, not sums that another launch continues
  template <int count, int columns>
  __device__ __forceinline__ void store(int y, int x, T (&sum)[count][columns],
                                        bool finished = true) const {
    constexpr int n = columns;
    if (finished) {
#pragma unroll
      for (int r = 0; r < count; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v) sum[r][v] = clean(sum[r][v]);
    }
    T* to = target + y * target_row + x;
    if (n % chunk<T> == 0 && holds(y, count, x, n)) {
#pragma unroll
      for (int r = 0; r < count; ++r, to += target_row)
#pragma unroll
        for (int c = 0; c < n; c += chunk<T>) stream_chunk(to + c, sum[r] + c);
      return;
    }
#pragma unroll
    for (int r = 0; r < count; ++r, to += target_row) {
#pragma unroll
      for (int v = 0; v < n; ++v) {
        if (has(y + r, x + v)) to[v] = sum[r][v];
      }
    }
  }

  /// Returns whether an output exists; at() returns the output.
  __device__ __forceinline__ bool has(int y, int x) const {
    return y < end && x >= first && x < last;
  }
  __device__ __forceinline__ T& at(int y, int x) const {
    return target[y * target_row + x];
  }

  /// Returns whether all these outputs exist and may be written in whole chunks.
  __device__ __forceinline__ bool holds(int y, int count, int x, int width) const {
    return aligned_target && y + count <= end && x >= first && x + width <= last;
  }

  /// Reads the sums that store() wrote, to continue them.
  template <int count, int columns>
  __device__ __forceinline__ void resume(int y, int x, T (&sum)[count][columns]) const {
    const T* from = target + y * target_row + x;
#pragma unroll
    for (int r = 0; r < count; ++r, from += target_row) {
#pragma unroll
      for (int v = 0; v < columns; ++v) {
        if (has(y + r, x + v)) sum[r][v] = from[v];
      }
    }
  }

 private:
  /// Returns the first element of a row in shared memory that is copied. The last element that is
  /// copied is the one before end_of_row(). In the first strip, elements before the first input are
  /// not copied, because memory before a field may belong to another allocation.
  template <class Shape>
  __device__ __forceinline__ int begin(const Shape& shape) const {
    if (!bulk) return shape.lead + first;
    return leftmost ? (shape.lead + first) / chunk<T> * chunk<T> : 0;
  }
  template <class Shape>
  __device__ __forceinline__ int end_of_row(const Shape& shape, int width) const {
    const int stop = shape.lead + last + width - 1;
    return bulk ? (stop + chunk<T> - 1) / chunk<T> * chunk<T> : stop;
  }

  /// Starts to copy rows for which bulk copies are not possible: a warp copies a row element by
  /// element.
  __device__ void start_by_element(int rows, int begin, int stop, T* inputs, int lead,
                                   int pitch) const {
    for (int row = threadIdx.x / 32; row < rows; row += blockDim.x / 32) {
      const T* const from = source - lead + row * source_row;
      T* const to = inputs + row * pitch;
#pragma unroll 4
      for (int i = begin + int(threadIdx.x % 32); i < stop; i += 32)
        start_copy<int(sizeof(T))>(to + i, from + i);
    }
  }
};

}  // namespace stencil::cuda

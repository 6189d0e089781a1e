#pragma once

#include "kernels/cuda/fft/butterfly.cuh"
#include "kernels/cuda/fft/quotient.cuh"
#include "kernels/cuda/fft/tile_tables.hpp"
#include "kernels/cuda/fft/tile_views.hpp"
#include "kernels/fft/fft_tiles.hpp"

namespace stencil::cuda {

/// Position of one tile along one axis. Positions are indices of inputs, and of outputs before
/// striding, relative to the tile.
struct TileOnAxis {
  long ahead;   ///< distance from the first tile
  int inputs;   ///< number of inputs that exist
  int outputs;  ///< number of outputs of every tile
  bool whole;   ///< all outputs are in the view and adjacent

  __device__ __forceinline__ TileOnAxis(const TileAxis& axis, long number)
      : ahead(number * axis.outputs),
        inputs(int(min(axis.points - axis.lead, axis.inputs - ahead))),
        outputs(int(axis.outputs)) {
    const long first = axis.begin + ahead;
    whole = axis.stride.by == 1 && first >= axis.first_output &&
            first + outputs <= axis.first_output + axis.wanted;
  }

  /// Returns the index in the view of the output at a position, or -1 if the view does not contain
  /// it.
  __device__ __forceinline__ long output(const TileAxis& axis, int position) const {
    const long dense = axis.begin + ahead + position;
    const long o = axis.stride.by > 1 ? quotient(dense, axis.stride) : dense;
    const bool wanted = o * axis.stride.by == dense && o >= axis.first_output &&
                        o < axis.first_output + axis.wanted;
    return wanted ? o - axis.first_output : -1;
  }
  /// Index in the view of the first output at or after a position.
  __device__ __forceinline__ long first_output(const TileAxis& axis, int position) const {
    const long o = quotient(axis.begin + ahead + position + axis.stride.by - 1, axis.stride);
    return min(max(o - axis.first_output, 0L), axis.wanted);
  }
  __device__ __forceinline__ int position(const TileAxis& axis, long output) const {
    return int((axis.first_output + output) * axis.stride.by - axis.begin - ahead);
  }

  __host__ __device__ static int cells(long outputs, long of_cell) {
    return int((outputs + of_cell - 1) / of_cell);
  }
};

/// Reads the points of the transform of one tile, and writes its results.
template <class T>
class TileEnds {
 public:
  /// @param number   index of the tile
  /// @param cleaned  whether inputs that are not finite are read as 0
  __device__ __forceinline__ TileEnds(const TileTables<T>& tables, const TileViews<T>& views,
                                      long number, bool cleaned)
      : TileEnds(tables, views, number, quotient(number, views.x.count), cleaned) {}

  /// Reads and writes the weighted points of the transform of one column along y.
  class Column {
   public:
    __device__ __forceinline__ Column(TileEnds& tile, int x) : tile_(tile), x_(x) {}

    template <int radix>
    __device__ __forceinline__ void load(int base, int log_leg, Complex<T> (&point)[radix]) const {
      const int lower = tile_.tables_.rows;
      const int x = x_ - int(tile_.views_.x.lead);
      const T* const from = tile_.input_ + x;
      const bool exists = x >= 0 && x < tile_.x_.inputs;
#pragma unroll
      for (int k = 0; k < radix; ++k) {
        const int row = base + (k << log_leg);
        point[k] = {tile_.input(from, row, exists), tile_.input(from, row + lower, exists)};
      }
#pragma unroll
      for (int k = 0; k < radix; ++k)
        point[k] = point[k].template times<false>(tile_.tables_.weights[base + (k << log_leg)]);
    }

    /// Stores points. -0, which a direct sum from +0 never gives, becomes +0.
    template <int radix>
    __device__ __forceinline__ void store(int base, int log_leg,
                                          const Complex<T> (&point)[radix]) const {
      if (x_ >= tile_.x_.outputs) return;
      const int lower = tile_.tables_.rows;
      const long at = tile_.x_.whole ? x_ : tile_.x_.output(tile_.views_.x, x_);
#pragma unroll
      for (int k = 0; k < radix; ++k) {
        const int row = base + (k << log_leg);
        const Complex<T> value =
            point[k].template times<true>(tile_.tables_.weights[row]) + Complex<T>{};
        tile_.put(row, at, value.re);
        tile_.put(row + lower, at, value.im);
      }
    }

   private:
    TileEnds& tile_;
    int x_;
  };
  __device__ __forceinline__ Column column(int x) {
    return Column(*this, x);
  }
  /// Returns whether a result stored by this thread is not finite.
  __device__ __forceinline__ bool is_bad() const {
    return !(bad_ == 0);
  }

  /// Counts, for each cell of outputs, the non-finite inputs on which the cell depends, as prefix
  /// sums along both axes. Called by a whole block of threads.
  ///
  /// @param cells  the counts, `[cells_y + 1, cells_x + 1]`
  __device__ void count_reach(int* cells) const {
    const int rows = cells_y() + 1, columns = cells_x() + 1;
    const int thread = threadIdx.x, threads = blockDim.x;
    for (int k = thread; k < rows * columns; k += threads) cells[k] = 0;
    __syncthreads();
    for (int row = 0; row < y_.inputs; ++row)
      for (int x = thread; x < x_.inputs; x += threads) {
        const T input = input_[row * views_.source_row + x];
        if (input - input == 0) continue;
        const int2 along_y = reached(row, views_.y, fft_cell_rows),
                   along_x = reached(x, views_.x, fft_cell_columns);
        if (along_y.x >= along_y.y || along_x.x >= along_x.y) continue;
        atomicAdd(cells + along_y.x * columns + along_x.x, 1);
        atomicAdd(cells + along_y.x * columns + along_x.y, -1);
        atomicAdd(cells + along_y.y * columns + along_x.x, -1);
        atomicAdd(cells + along_y.y * columns + along_x.y, 1);
      }
    __syncthreads();
    for (int row = thread; row < rows; row += threads)
      for (int x = 1; x < columns; ++x) cells[row * columns + x] += cells[row * columns + x - 1];
    __syncthreads();
    for (int x = thread; x < columns; x += threads)
      for (int row = 1; row < rows; ++row)
        cells[row * columns + x] += cells[(row - 1) * columns + x];
    __syncthreads();
  }

  /// Writes the counts for a tile whose cells all depend on non-finite inputs. Called by a whole
  /// block of threads.
  __device__ void reach_all(int* cells) const {
    const int count = (cells_y() + 1) * (cells_x() + 1);
    for (int k = threadIdx.x; k < count; k += blockDim.x) cells[k] = 1;
  }

  /// Computes tap by tap, with the results of IEEE arithmetic, the outputs in those cells that
  /// depend on non-finite inputs.
  ///
  /// @param thread, threads  index and number of the threads that share the outputs
  __device__ void sum_directly(const int* cells, long thread, long threads) const {
    const TileAxis &y = views_.y, &x = views_.x;
    const long top = y_.first_output(y, 0), left = x_.first_output(x, 0);
    const long width = x_.first_output(x, x_.outputs) - left,
               count = (y_.first_output(y, y_.outputs) - top) * width;
    for (long n = thread; n < count; n += threads) {
      const long row = top + n / width, column = left + n % width;
      const int at_y = y_.position(y, row), at_x = x_.position(x, column);
      if (cells[at_y / fft_cell_rows * (cells_x() + 1) + at_x / fft_cell_columns] == 0) continue;
      target_[row * views_.target_row + column] = sum(at_y, at_x);
    }
  }

  __device__ __forceinline__ int cells_y() const {
    return TileOnAxis::cells(y_.outputs, fft_cell_rows);
  }
  __device__ __forceinline__ int cells_x() const {
    return TileOnAxis::cells(x_.outputs, fft_cell_columns);
  }

 private:
  __device__ __forceinline__ TileEnds(const TileTables<T>& tables, const TileViews<T>& views,
                                      long number, long row, bool cleaned)
      : TileEnds(tables, views, quotient(row, views.y.count), row, number, cleaned) {}
  __device__ __forceinline__ TileEnds(const TileTables<T>& tables, const TileViews<T>& views,
                                      long batch, long row, long number, bool cleaned)
      : tables_(tables),
        views_(views),
        y_(views.y, row - batch * views.y.count.by),
        x_(views.x, number - row * views.x.count.by),
        input_(views.source + batch * views.source_batch + y_.ahead * views.source_row + x_.ahead),
        target_(views.target + batch * views.target_batch),
        cleaned_(cleaned) {
    whole_target_ = target_ + (views.y.begin + y_.ahead - views.y.first_output) * views.target_row;
    if (x_.whole) target_x_ = views.x.begin + x_.ahead - views.x.first_output;
  }

  __device__ __forceinline__ T input(const T* column, int row, bool exists) const {
    if (!exists || row >= y_.inputs) return 0;
    const T value = column[row * views_.source_row];
    return cleaned_ && !(value - value == 0) ? T(0) : value;
  }

  /// @param x  index of the output in the view, relative to target_x_; negative: not requested
  __device__ __forceinline__ void put(int row, long x, T value) {
    if (row >= y_.outputs) return;
    bad_ = fused(value, T(0), bad_);
    if (x < 0) return;
    if (y_.whole) {
      whole_target_[row * views_.target_row + target_x_ + x] = value;
    } else if (const long at = y_.output(views_.y, row); at >= 0) {
      target_[at * views_.target_row + target_x_ + x] = value;
    }
  }

  /// Returns the first cell whose outputs depend on an input, and the cell after the last one.
  __device__ static int2 reached(int input, const TileAxis& axis, int cell) {
    const int first = max(0, input - int(axis.width) + 1), last = min(input, int(axis.outputs) - 1);
    return first > last ? int2{0, 0} : int2{first / cell, last / cell + 1};
  }

  __device__ T sum(int y, int x) const {
    const T* source = input_ + y * views_.source_row + x;
    const T* taps = views_.taps;
    T sum = 0;
    for (long j = 0; j < views_.y.width; ++j, source += views_.source_row, taps += views_.x.width)
#pragma unroll 4
      for (long i = 0; i < views_.x.width; ++i)
        if (!views_.skip_zeros || taps[i] != 0) sum = fused(taps[i], source[i], sum);
    return clean(sum);
  }

  const TileTables<T>& tables_;
  const TileViews<T>& views_;
  TileOnAxis y_, x_;
  const T* input_;
  T *target_, *whole_target_;  ///< first row of the view; if y_ is whole, first row of the tile
  long target_x_ = 0;          ///< if x_ is whole, index of the tile's first output in a row
  bool cleaned_;
  T bad_ = 0;
};

}  // namespace stencil::cuda

#pragma once

#include "kernels/cpu/weight_values.hpp"

namespace stencil::cuda {

/// Everything that a kernel of one sweep has to know, passed by value. Pitches are in elements.
template <class T>
struct KernelArguments {
  const T* source;
  T* target;
  long batches, rows, columns;  ///< of the target
  long source_batch, source_row, target_batch, target_row;
  long stride_y, stride_x;
  int height, width;
  bool skip_zeros;  ///< some taps are 0 and do not meet their input
  bool separable;
  cpu::Weights<T> weights;
  bool keep_whole;  ///< of the weights: a renormalized sum that meets no NaN is the plain one
  const T *taps, *column, *row;  ///< device memory
  int terms;                     ///< separable: columns and rows, one pair after the other
  int column_pitch;              ///< elements from the column of a term to that of the next
  /// Masks too large for one launch are summed in bands: of rows or, if a row is too long, of parts
  /// of one row. A band with `resume` continues with the sums that the target holds, and the last
  /// one finishes them. Rounding is the same as in one launch.
  bool resume = false, finish = true;
  long first_tap = 0;  ///< of the mask that the band begins with
};

/// Most blocks of a launch along y and z, so most batches of a sweep.
inline constexpr long most_grid_side = 65535;

}  // namespace stencil::cuda

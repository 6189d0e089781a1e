#pragma once

#include "kernels/cpu/weight_values.hpp"

namespace stencil::cuda {

/// Arguments of a kernel for one sweep, passed by value. Pitches are in elements.
template <class T>
struct KernelArguments {
  const T* source;
  T* target;
  long batches, rows, columns;  ///< sides of the target
  long source_batch, source_row, target_batch, target_row;
  long stride_y, stride_x;
  int height, width;
  bool skip_zeros;  ///< some taps are 0 and are skipped
  int multiplied;   ///< number of taps of a direct mask that are not skipped
  bool separable;
  cpu::Weights<T> weights;
  bool keep_whole;  ///< whether renormalized sums without NaN inputs equal the ordinary sums
  const T *taps, *column, *row;  ///< device memory
  int terms;                     ///< separable masks: number of pairs of a column and a row
  int column_pitch;              ///< elements from the column of one term to the column of the next
  /// Masks that are too large for one launch are summed in bands. A band has some rows of the mask
  /// or, if a row is too long, a part of one row. A band with `resume` continues from the sums in
  /// the target, and the last band (`finish`) stores final results. The rounding is the same as in
  /// one launch.
  bool resume = false, finish = true;
  long first_tap = 0;  ///< index of the first tap of the band in the mask
};

/// Arguments of a sweep of a mask of three axes. Batches are the planes of the outputs, which
/// follow each other along the first axis of the mask.
template <class T>
struct VolumeArguments {
  KernelArguments<T> sweep;
  int depth;          ///< number of planes of the mask
  long plane_stride;  ///< number of planes of inputs from one plane of outputs to the next
};

/// Largest number of taps of a mask with zeros that are listed as arguments of a kernel, so that no
/// tap is compared with 0. The list has less than 4 KiB.
template <class T>
inline constexpr int most_listed_taps = 3400 / int(sizeof(T) + sizeof(int));

/// Largest number of blocks of a launch along y and z, and so of batches of a sweep.
inline constexpr long most_grid_side = 65535;

}  // namespace stencil::cuda

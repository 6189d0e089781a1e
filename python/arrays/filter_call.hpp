#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"
#include "python/arrays/array_argument.hpp"

namespace stencil {

/// Taps for one to three axes of an array, in the axes' order, and what lies beyond these axes'
/// edges.
struct FilterCall {
  std::vector<int> axes;  ///< one to three axes of the array
  /// One list of taps, row-major where there are several axes; or one list for each of two or
  /// three axes, whose outer product is the mask.
  std::vector<std::vector<double>> taps;
  std::vector<Index> extents;  ///< of the mask, one for each axis
  std::vector<Index> origins;  ///< as in SciPy, one for each axis
  std::vector<BoundaryRule> rules;
  double value = 0;  ///< beyond edges whose rule is `constant`
  bool multiply_zeros = true;
  Extent extent = Extent::same;
  Index steps = 1;
  std::optional<double> min_valid;
  int threads = 0;  ///< 0: as many as there are for large arrays, one for small ones
};

/// Applies a mask to an array of any number of axes, along one to three of them.
///
/// The axes are first brought into the order of the input's strides, and axes along which the mask
/// does not run are merged where the layouts of both arrays allow this, so that the kernels work on
/// the memory of the arrays where they can. Where input and output are the same array, the arrays
/// are processed part by part along an axis along which the mask does not run, so that only a small
/// copy of the input is needed.
///
/// @pre the extents of both arrays are equal along every axis along which the mask does not run
/// @throws Error  as apply()
void run_filter(const FilterCall& call, const ArrayArgument& input, const ArrayArgument& output,
                void (*between_parts)());

/// To be called in a process created by fork(): the threads of the parent process do not exist in
/// it, and OpenMP would wait for them forever. If the parent has computed with several threads, all
/// later calls in this process use one thread.
void compute_alone_after_fork();

}  // namespace stencil

#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

/// A mask along one to three axes of an array, the axes, and the boundary rules along these axes.
struct FilterCall {
  std::vector<int> axes;  ///< one to three axes of the array, in the order of the mask's axes
  /// Either one list of taps, in row-major order; or one list for each of two or three axes, whose
  /// outer product is the mask.
  std::vector<std::vector<double>> taps;
  std::vector<Index> extents;  ///< extents of the mask, one per axis
  std::vector<Index> origins;  ///< shifts of the centre as in SciPy, one per axis
  std::vector<BoundaryRule> rules;
  double value = 0;  ///< boundary value of the rule `constant`
  bool multiply_zeros = true;
  Extent extent = Extent::same;
  Index steps = 1;
  MethodRequest method = MethodRequest::automatic;
  std::optional<double> min_valid;
  int threads = 0;  ///< 0: all processors for large arrays, one thread for small arrays
};

/// Applies a mask along one to three axes of an array with any number of axes.
///
/// First the axes are sorted by the input's strides, and axes along which the mask does not run are
/// merged if the layouts of both arrays permit, so that kernels can use the memory of the arrays
/// directly. If input and output are the same array, and the mask does not run along the axis with
/// the largest stride, the array is processed in parts along this axis, so that only a small copy
/// of the input is needed.
///
/// @pre the extents of both arrays are equal along every axis along which the mask does not run
/// @throws Error  see apply()
void run_filter(const FilterCall& call, const AnyInput& input, const AnyOutput& output,
                void (*between_parts)());

/// Like run_filter(), for arrays in the memory of a GPU. The function returns when the work is
/// queued on a stream of the caller.
///
/// @param device  number of the device
/// @param stream  a cudaStream_t on this device
/// @throws Error  see apply_on_gpu()
void run_filter_on_gpu(const FilterCall& call, const AnyInput& input, const AnyOutput& output,
                       int device, void* stream);

/// Must be called in a process created by fork(): the threads of the parent process do not exist in
/// the child, and OpenMP would wait for them forever. If the parent has computed with several
/// threads, all later calls in this process use one thread.
void compute_alone_after_fork();

}  // namespace stencil

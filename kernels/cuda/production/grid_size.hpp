#pragma once

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Returns the number of outputs of a sweep.
template <class T>
double points_of(const KernelArguments<T>& arguments) {
  return double(arguments.rows) * double(arguments.columns) * double(arguments.batches);
}

/// Limits of the number of outputs, by which kernels and tiles are chosen. From `large_grid` on,
/// they are those that are fastest for 16384 x 16384 points; below `small_grid`, those for 1000 x
/// 1000 points; between both, those for 4000 x 3000 points.
inline constexpr double large_grid = 1 << 25, small_grid = 1 << 22;

}  // namespace stencil::cuda

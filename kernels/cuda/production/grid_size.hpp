#pragma once

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Outputs of a sweep.
template <class T>
double points_of(const KernelArguments<T>& arguments) {
  return double(arguments.rows) * double(arguments.columns) * double(arguments.batches);
}

/// Outputs from which on kernels and tiles are chosen as for 16384 x 16384 points, and below which
/// they are chosen as for 1000 x 1000; between both as for 4000 x 3000.
inline constexpr double large_grid = 1 << 25, small_grid = 1 << 22;

}  // namespace stencil::cuda

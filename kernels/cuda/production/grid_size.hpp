#pragma once

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Returns the number of outputs of a sweep.
template <class T>
double points_of(const KernelArguments<T>& arguments) {
  return double(arguments.rows) * double(arguments.columns) * double(arguments.batches);
}

/// Numbers of outputs that separate large, medium and small grids. For grids of `large_grid`
/// outputs or more, the kernels and tiles that are the fastest for 16384 x 16384 points are chosen.
/// For grids of fewer than `small_grid` outputs, those for 1000 x 1000 points are chosen, and for
/// all other grids those for 4000 x 3000 points.
inline constexpr double large_grid = 1 << 25, small_grid = 1 << 22;

}  // namespace stencil::cuda

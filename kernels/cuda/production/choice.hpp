#pragma once

#include <limits>
#include <optional>

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

enum class Kernel {
  tile_line,
  tile_dense,
  strip_dense,
  tile_separable,
  strip_separable,
  line,
  tile_column,
  strip_column,
  tile_wide,
  tensor_dense,
  tensor_axis,
  tensor_separable,
  dense_small,
  tile_valid,
  tile_separable_any,
  separable,
  tile_separable_sum,
  separable_sum,
  strided_line,
  strided_column,
  strided_dense,
  strided_any,
  strided_separable,
  generic
};

/// A kernel, and how many rows of the mask it sums in one launch, or how many taps of a row.
struct Choice {
  Kernel kernel;
  int band_rows;
  int band_columns = std::numeric_limits<int>::max();
};

/// The kernel that is expected to be the fastest. The choice does not change the bits of the
/// results.
/// @throws WordsError  STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
Choice choose(const KernelArguments<T>& arguments, const Stencil<T>& stencil);

/// The same stencil without treatment of missing points, if it has a specialized kernel and this
/// stencil has none. Its results are right where they are not NaN.
template <class T>
std::optional<Stencil<T>> plain_first(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil);

}  // namespace stencil::cuda

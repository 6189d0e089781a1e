#pragma once

#include <limits>
#include <optional>

#include "kernels/cuda/production/kernels.hpp"

namespace stencil::cuda {

/// A kernel, and the largest part of a mask that one launch of the kernel sums: `band_rows` rows of
/// the mask and `band_columns` taps of each of these rows. A larger mask needs several launches.
template <class T>
struct Choice {
  const char* kernel;  ///< name of its file: `tile_dense`
  void (*launch)(const KernelArguments<T>&, const Stencil<T>&, CUstream_st*);
  int band_rows;
  int band_columns = std::numeric_limits<int>::max();

  bool is_generic() const { return launch == &launch_generic<T>; }
};

/// Returns the fastest of the kernels that are compiled for the sides of the mask; none if these
/// kernels do not support the sweep, or if other kernels are faster for a mask of this size.
template <class T>
std::optional<Choice<T>> choose_by_sides(const KernelArguments<T>& arguments,
                                         const Stencil<T>& stencil);

}  // namespace stencil::cuda

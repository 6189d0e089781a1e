#pragma once

#include <limits>
#include <optional>

#include "kernels/cuda/production/kernels.hpp"

namespace stencil::cuda {

/// A kernel, and how many rows of the mask it sums in one launch, or how many taps of a row.
template <class T>
struct Choice {
  const char* kernel;  ///< name of its file: `tile_dense`
  void (*launch)(const KernelArguments<T>&, const Stencil<T>&, CUstream_st*);
  int band_rows;
  int band_columns = std::numeric_limits<int>::max();

  bool is_generic() const { return launch == &launch_generic<T>; }
};

/// A sweep over a large grid between views that are aligned as those of a Field, to choose a kernel
/// before there are views.
template <class T>
KernelArguments<T> sweep_in_fields(const Stencil<T>& stencil);

/// The kernel that is expected to be the fastest: `generic` where kernels cannot be compiled. The
/// choice does not change the bits of the results.
/// @throws WordsError  STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
Choice<T> choose(const KernelArguments<T>& arguments, const Stencil<T>& stencil);

/// The same stencil without treatment of missing points, if it has a specialized kernel and this
/// stencil has none. Its results are right where they are not NaN.
template <class T>
std::optional<Stencil<T>> plain_first(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil);

}  // namespace stencil::cuda

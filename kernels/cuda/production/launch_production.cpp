#include <algorithm>

#include "kernels/cuda/production/choice.hpp"

namespace stencil::cuda {
namespace {

template <class T>
void launch(Kernel kernel, const KernelArguments<T>& arguments, const Stencil<T>& stencil,
            CUstream_st* stream) {
  switch (kernel) {
    case Kernel::tile_line:
      try_tile_line(&arguments, stencil, stream);
      return;
    case Kernel::tile_dense:
      try_tile_dense(&arguments, stencil, stream);
      return;
    case Kernel::strip_dense:
      launch_strip_dense(arguments, stencil, stream);
      return;
    case Kernel::tile_wide:
      return launch_tile_wide(arguments, stencil, stream);
    case Kernel::tile_column:
      return launch_tile_column(arguments, stencil, stream);
    case Kernel::strip_column:
      if constexpr (sizeof(T) == 4) launch_strip_column(arguments, stencil, stream);
      return;
    case Kernel::tensor_dense:  // NOLINT(bugprone-branch-clone): with float all three are empty
      if constexpr (sizeof(T) == 8) launch_tensor_dense(arguments, stream);
      return;
    case Kernel::tensor_axis:
      if constexpr (sizeof(T) == 8) launch_tensor_axis(arguments, stream);
      return;
    case Kernel::tensor_separable:
      if constexpr (sizeof(T) == 8) launch_tensor_separable(arguments, stream);
      return;
    case Kernel::tile_separable:
      try_tile_separable(&arguments, stencil, stream);
      return;
    case Kernel::strip_separable:
      return launch_strip_separable(arguments, stencil, stream);
    case Kernel::line:
      return launch_line(arguments, stencil, stream);
    case Kernel::dense_small:
      return launch_dense_small(arguments, stencil, stream);
    case Kernel::tile_valid:
      return launch_tile_valid(arguments, stream);
    case Kernel::tile_separable_any:
      return launch_tile_separable_any(arguments, stream);
    case Kernel::separable:
      return launch_separable(arguments, stream);
    case Kernel::tile_separable_sum:
      return launch_tile_separable_sum(arguments, stencil, stream);
    case Kernel::separable_sum:
      return launch_separable_sum(arguments, stream);
    case Kernel::strided_line:
      return launch_strided_line(arguments, stream);
    case Kernel::strided_column:
      return launch_strided_column(arguments, stream);
    case Kernel::strided_dense:
      return launch_strided_dense(arguments, stencil, stream);
    case Kernel::strided_any:
      return launch_strided_any(arguments, stream);
    case Kernel::strided_separable:
      return launch_strided_separable(arguments, stencil, stream);
    case Kernel::generic:
      return launch_generic(arguments, false, stream);
  }
}

/// The rows [first, first + rows) of the mask, and of a single row the taps [left, left + columns),
/// as a separate sweep.
template <class T>
KernelArguments<T> band_of(KernelArguments<T> arguments, int first, int rows, int left,
                           int columns) {
  arguments.resume = first > 0 || left > 0;
  arguments.finish = first + rows >= arguments.height && left + columns >= arguments.width;
  arguments.source += first * arguments.source_row + left;
  if (arguments.separable) {
    arguments.column += first;
  } else {
    arguments.first_tap = long(first) * arguments.width + left;
    arguments.taps += arguments.first_tap;
  }
  arguments.height = std::min(rows, arguments.height - first);
  arguments.width = std::min(columns, arguments.width - left);
  return arguments;
}

/// One launch or, for a large mask, one per band of it.
template <class T>
void launch_bands(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                  CUstream_st* stream) {
  if (const auto plain = plain_first(arguments, stencil)) {
    KernelArguments<T> plain_arguments = arguments;
    plain_arguments.weights.wanted = false;
    launch_bands(plain_arguments, *plain, stream);
    return launch_generic(arguments, true, stream);
  }
  const Choice choice = choose(arguments, stencil);
  const int rows = choice.band_rows, columns = std::min(choice.band_columns, arguments.width);
  for (int first = 0; first < arguments.height; first += rows) {
    for (int left = 0; left < arguments.width; left += columns)
      launch(choice.kernel, band_of(arguments, first, rows, left, columns), stencil, stream);
  }
}

}  // namespace

template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (points(target.extent) == 0) return;
  const KernelArguments<T> all = make_arguments(stencil, device_taps, source, target);
  for (long b = 0; b < all.batches; b += most_grid_side) {
    KernelArguments<T> some = all;
    some.batches = std::min(most_grid_side, all.batches - b);
    some.source += b * all.source_batch;
    some.target += b * all.target_batch;
    launch_bands(some, stencil, stream);
  }
}

template void launch_production(const Stencil<float>&, const DeviceTaps<float>&,
                                FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_production(const Stencil<double>&, const DeviceTaps<double>&,
                                FieldView<const double>, FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda

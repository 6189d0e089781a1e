#include <algorithm>

#include "kernels/cuda/production/choice.hpp"

namespace stencil::cuda {
namespace {

template <class T>
void launch(Kernel kernel, const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  switch (kernel) {
    case Kernel::tile_line:
      try_tile_line(&sweep, stencil, stream);
      return;
    case Kernel::tile_dense:
      try_tile_dense(&sweep, stencil, stream);
      return;
    case Kernel::strip_dense:
      launch_strip_dense(sweep, stencil, stream);
      return;
    case Kernel::tile_wide:
      return launch_tile_wide(sweep, stencil, stream);
    case Kernel::tile_column:
      return launch_tile_column(sweep, stencil, stream);
    case Kernel::strip_column:
      if constexpr (sizeof(T) == 4) launch_strip_column(sweep, stencil, stream);
      return;
    case Kernel::tensor_dense:
      if constexpr (sizeof(T) == 8) launch_tensor_dense(sweep, stream);
      return;
    case Kernel::tensor_axis:
      if constexpr (sizeof(T) == 8) launch_tensor_axis(sweep, stream);
      return;
    case Kernel::tensor_separable:
      if constexpr (sizeof(T) == 8) launch_tensor_separable(sweep, stream);
      return;
    case Kernel::tile_separable:
      try_tile_separable(&sweep, stencil, stream);
      return;
    case Kernel::strip_separable:
      return launch_strip_separable(sweep, stencil, stream);
    case Kernel::line:
      return launch_line(sweep, stencil, stream);
    case Kernel::dense_small:
      return launch_dense_small(sweep, stencil, stream);
    case Kernel::tile_valid:
      return launch_tile_valid(sweep, stream);
    case Kernel::tile_separable_any:
      return launch_tile_separable_any(sweep, stream);
    case Kernel::separable:
      return launch_separable(sweep, stream);
    case Kernel::tile_separable_sum:
      return launch_tile_separable_sum(sweep, stencil, stream);
    case Kernel::separable_sum:
      return launch_separable_sum(sweep, stream);
    case Kernel::strided_line:
      return launch_strided_line(sweep, stream);
    case Kernel::strided_column:
      return launch_strided_column(sweep, stream);
    case Kernel::strided_dense:
      return launch_strided_dense(sweep, stencil, stream);
    case Kernel::strided_any:
      return launch_strided_any(sweep, stream);
    case Kernel::strided_separable:
      return launch_strided_separable(sweep, stencil, stream);
    case Kernel::generic:
      return launch_generic(sweep, false, stream);
  }
}

/// The rows [first, first + rows) of the mask, and of a single row the taps [left, left + columns),
/// as a sweep of their own.
template <class T>
Sweep<T> band_of(Sweep<T> sweep, int first, int rows, int left, int columns) {
  sweep.resume = first > 0 || left > 0;
  sweep.finish = first + rows >= sweep.height && left + columns >= sweep.width;
  sweep.source += first * sweep.source_row + left;
  if (sweep.separable) {
    sweep.column += first;
  } else {
    sweep.first_tap = long(first) * sweep.width + left;
    sweep.taps += sweep.first_tap;
  }
  sweep.height = std::min(rows, sweep.height - first);
  sweep.width = std::min(columns, sweep.width - left);
  return sweep;
}

/// One launch or, for a large mask, one per band of it.
template <class T>
void launch_bands(const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  if (const auto plain = plain_first(sweep, stencil)) {
    Sweep<T> plain_sweep = sweep;
    plain_sweep.weights.wanted = false;
    launch_bands(plain_sweep, *plain, stream);
    return launch_generic(sweep, true, stream);
  }
  const Choice choice = choose(sweep, stencil);
  const int rows = choice.band_rows, columns = std::min(choice.band_columns, sweep.width);
  for (int first = 0; first < sweep.height; first += rows) {
    for (int left = 0; left < sweep.width; left += columns)
      launch(choice.kernel, band_of(sweep, first, rows, left, columns), stencil, stream);
  }
}

}  // namespace

template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (points(target.extent) == 0) return;
  const Sweep<T> all = make_sweep(stencil, device_taps, source, target);
  for (long b = 0; b < all.batches; b += most_grid_side) {
    Sweep<T> some = all;
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

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/cuda/production/sweep.hpp"

namespace stencil::cuda {
namespace {

enum class Kernel {
  tile_line,
  tile_dense,
  tile_pipeline,
  tile_separable,
  tile_separable_run,
  line,
  tile_column,
  tile_wide,
  dense_small,
  dense_valid,
  separable,
  separable_sum,
  strided_line,
  strided_column,
  strided_dense,
  strided_separable,
  generic
};

/// A kernel, and how many rows of the mask it sums in one launch, or how many taps of a row.
struct Choice {
  Kernel kernel;
  int band_rows;
  int band_columns = std::numeric_limits<int>::max();
};

/// How many of `count` are in a part, if the parts are as few as may be, and about equal.
int equal_parts(int count, int most) {
  const int parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

/// The tallest band of equal ones that fits; 0 if not even one row does.
template <class T>
int band_that_fits(Sweep<T> sweep, bool (*fits)(const Sweep<T>&)) {
  const int height = sweep.height;
  for (int bands = 1; bands <= height; ++bands) {
    const int rows = (height + bands - 1) / bands;
    if (rows == sweep.height && bands > 1) continue;
    sweep.height = rows;
    if (fits(sweep)) return rows;
  }
  return 0;
}

/// The kernels that are made for the mask's own width.
template <class T>
std::optional<Kernel> tiled(const Stencil<T>& stencil) {
  if (try_tile_line<T>(nullptr, stencil, nullptr)) return Kernel::tile_line;
  if (try_tile_dense<T>(nullptr, stencil, nullptr)) return Kernel::tile_dense;
  if (try_tile_pipeline<T>(nullptr, stencil, nullptr)) return Kernel::tile_pipeline;
  if (try_tile_separable_run<T>(nullptr, stencil, nullptr)) return Kernel::tile_separable_run;
  if (try_tile_separable<T>(nullptr, stencil, nullptr)) return Kernel::tile_separable;
  return {};
}

/// Whether the unrolled kernel has this mask and would not mostly skip.
template <class T>
bool is_small(const Sweep<T>& sweep) {
  const int side = std::max(sweep.height, sweep.width);
  return side <= most_small && 3 * sweep.height * sweep.width >= 2 * side * side;
}

template <class T>
Choice choose_strided(const Sweep<T>& sweep) {
  const Choice any{Kernel::generic, sweep.height};
  if (sweep.weights.wanted || sweep.terms > 1) return any;
  if (sweep.separable) {
    const int rows = band_that_fits(sweep, fits_strided_separable<T>);
    return rows > 0 ? Choice{Kernel::strided_separable, rows} : any;
  }
  if (!sweep.skip_zeros && sweep.height == 1 && fits_strided_line(sweep))
    return {Kernel::strided_line, 1};
  const int phases = int(std::min<long>(sweep.height, sweep.stride_y));
  if (!sweep.skip_zeros && sweep.width == 1 && sweep.stride_x == 1 &&
      phases <= most_strided_phases) {
    const int most = most_strided_ages * phases, bands = (sweep.height + most - 1) / most;
    return {Kernel::strided_column, (sweep.height + bands - 1) / bands};
  }
  const int rows = band_that_fits(sweep, fits_strided_dense<T>);
  return rows > 0 ? Choice{Kernel::strided_dense, rows} : any;
}

template <class T>
Choice choose(const Sweep<T>& sweep, const Stencil<T>& stencil) {
  const Choice any{Kernel::generic, sweep.height};
  if (const auto kernel = tiled(stencil)) return {*kernel, sweep.height};
  if (sweep.stride_y != 1 || sweep.stride_x != 1) return choose_strided(sweep);
  if (sweep.separable && sweep.terms > 1) {
    if (sweep.weights.wanted || sweep.skip_zeros) return any;
    const int rows = band_that_fits(sweep, fits_separable_sum<T>);
    return rows > 0 ? Choice{Kernel::separable_sum, rows} : any;
  }
  if (sweep.weights.wanted) {
    // sums over valid points cannot go on in the target
    const bool fits = sweep.separable ? fits_separable(sweep) : fits_dense_valid(sweep);
    const Kernel kernel = sweep.separable ? Kernel::separable : Kernel::dense_valid;
    return fits ? Choice{kernel, sweep.height} : any;
  }
  if (sweep.separable) {
    const int rows = band_that_fits(sweep, fits_separable<T>);
    return rows > 0 ? Choice{Kernel::separable, rows} : any;
  }
  if (sweep.width == 1) return {Kernel::tile_column, equal_parts(sweep.height, most_column_taps)};
  if (sweep.height > 1 && is_small(sweep)) return {Kernel::dense_small, sweep.height};
  if (sweep.height > 1) {
    const int rows = band_that_fits(sweep, fits_tile_wide<T>);
    if (rows > 0) return {Kernel::tile_wide, rows};
  }
  Sweep<T> part = sweep;
  // parts begin where wide copies may
  part.width = (equal_parts(sweep.width, most_line_taps<T>) + 3) / 4 * 4;
  return fits_line(part) ? Choice{Kernel::line, 1, part.width} : any;
}

/// The same stencil without regard to missing points, where it has a kernel of its own and this has
/// none: what comes out is right where it is not NaN.
template <class T>
std::optional<Stencil<T>> plain_first(const Sweep<T>& sweep, const Stencil<T>& stencil) {
  if (!sweep.weights.wanted || !sweep.keep_whole) return {};
  if (choose(sweep, stencil).kernel != Kernel::generic) return {};
  Stencil<T> plain = stencil;
  plain.min_valid.reset();
  Sweep<T> plain_sweep = sweep;
  plain_sweep.weights.wanted = false;
  if (choose(plain_sweep, plain).kernel == Kernel::generic) return {};
  return plain;
}

template <class T>
void launch(Kernel kernel, const Sweep<T>& sweep, const Stencil<T>& stencil, CUstream_st* stream) {
  switch (kernel) {
    case Kernel::tile_line:
      try_tile_line(&sweep, stencil, stream);
      return;
    case Kernel::tile_dense:
      try_tile_dense(&sweep, stencil, stream);
      return;
    case Kernel::tile_pipeline:
      try_tile_pipeline(&sweep, stencil, stream);
      return;
    case Kernel::tile_wide:
      return launch_tile_wide(sweep, stencil, stream);
    case Kernel::tile_column:
      return launch_tile_column(sweep, stencil, stream);
    case Kernel::tile_separable:
      try_tile_separable(&sweep, stencil, stream);
      return;
    case Kernel::tile_separable_run:
      try_tile_separable_run(&sweep, stencil, stream);
      return;
    case Kernel::line:
      return launch_line(sweep, stencil, stream);
    case Kernel::dense_small:
      return launch_dense_small(sweep, stencil, stream);
    case Kernel::dense_valid:
      return launch_dense_valid(sweep, stream);
    case Kernel::separable:
      return launch_separable(sweep, stream);
    case Kernel::separable_sum:
      return launch_separable_sum(sweep, stream);
    case Kernel::strided_line:
      return launch_strided_line(sweep, stream);
    case Kernel::strided_column:
      return launch_strided_column(sweep, stream);
    case Kernel::strided_dense:
      return launch_strided_dense(sweep, stencil, stream);
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

/// A long single row as many short ones, which overlap by the mask's width: kernels that walk down
/// rows have something to walk. Returns the columns that are left over.
template <class T>
long fold(Sweep<T>& sweep) {
  constexpr long columns = 8192;
  if (sweep.batches != 1 || sweep.rows != 1 || sweep.height != 1) return 0;
  const long rows = sweep.columns / columns, left = sweep.columns % columns;
  if (rows < 2) return 0;
  sweep.source_row = sweep.target_row = sweep.columns = columns;
  sweep.rows = rows;
  return left;
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
  if (choice.kernel == Kernel::dense_valid) {
    Sweep<T> folded = sweep;
    const long left = fold(folded);
    if (left > 0) {
      Sweep<T> rest = sweep;
      rest.columns = left;
      rest.source += sweep.columns - left;
      rest.target += sweep.columns - left;
      launch(choice.kernel, rest, stencil, stream);
    }
    if (folded.rows > 1 && sweep.rows == 1) return launch(choice.kernel, folded, stencil, stream);
  }
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

template <class T>
std::string production_name(const Stencil<T>& stencil) {
  const Point many{1, 1 << 12, 1 << 16};
  const Sweep<T> sweep = make_sweep<T>(stencil, {}, {nullptr, many, 0, 0}, {nullptr, many, 0, 0});
  if (const auto plain = plain_first(sweep, stencil)) return production_name(*plain);
  const auto strides = fmt::format("strided {} {} ", stencil.stride[0], stencil.stride[1]);
  switch (choose(sweep, stencil).kernel) {
    case Kernel::strided_line:
      return fmt::format("cuda {}line {}", strides, stencil.width);
    case Kernel::strided_column:
      return fmt::format("cuda {}column {}", strides, stencil.height);
    case Kernel::strided_dense:
      return fmt::format("cuda {}dense {}x{}", strides, stencil.height, stencil.width);
    case Kernel::strided_separable:
      return fmt::format("cuda {}separable {}x{}", strides, stencil.height, stencil.width);
    case Kernel::tile_line:
    case Kernel::line:
    case Kernel::tile_column:
    case Kernel::tile_dense:
    case Kernel::tile_pipeline:
    case Kernel::tile_wide:
    case Kernel::dense_small:
    case Kernel::dense_valid:
      if (stencil.height == 1) return fmt::format("cuda line {}", stencil.width);
      if (stencil.width == 1) return fmt::format("cuda column {}", stencil.height);
      return fmt::format("cuda dense {}x{}", stencil.height, stencil.width);
    case Kernel::tile_separable:
    case Kernel::tile_separable_run:
    case Kernel::separable:
      return fmt::format("cuda separable {}x{}", stencil.height, stencil.width);
    case Kernel::separable_sum:
      return fmt::format("cuda sum of {} separable {}x{}", stencil.terms, stencil.height,
                         stencil.width);
    case Kernel::generic:
      break;
  }
  const std::string terms =
      stencil.terms > 1 ? fmt::format(" sum of {}", stencil.terms) : std::string();
  return fmt::format("cuda point by point {}x{}{}{}", stencil.height, stencil.width, terms,
                     stencil.method == Method::separable ? " separable" : "");
}

template void launch_production(const Stencil<float>&, const DeviceTaps<float>&,
                                FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_production(const Stencil<double>&, const DeviceTaps<double>&,
                                FieldView<const double>, FieldView<double>, CUstream_st*);
template std::string production_name(const Stencil<float>&);
template std::string production_name(const Stencil<double>&);

}  // namespace stencil::cuda

#include "kernels/cuda/production/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "framework/grid/error.hpp"
#include "kernels/cuda/fft/cuda_fft.hpp"
#include "kernels/cuda/production/tiling.hpp"

namespace stencil::cuda {
namespace {

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
std::optional<Kernel> tiled(const Sweep<T>& sweep, const Stencil<T>& stencil) {
  if (try_tile_line<T>(nullptr, stencil, nullptr)) return Kernel::tile_line;
  if (is_plain(stencil, Method::direct) && fits_strip_dense(sweep)) return Kernel::strip_dense;
  if (try_tile_dense<T>(nullptr, stencil, nullptr)) return Kernel::tile_dense;
  if (try_tile_separable<T>(nullptr, stencil, nullptr)) return Kernel::tile_separable;
  if (is_plain(stencil, Method::separable) && fits_strip_separable(sweep))
    return Kernel::strip_separable;
  return {};
}

/// Whether the unrolled kernel has this mask and would not mostly skip.
template <class T>
bool is_small(const Sweep<T>& sweep) {
  const int side = std::max(sweep.height, sweep.width);
  return side <= most_small && 3 * sweep.height * sweep.width >= 2 * side * side;
}

/// Whether float64 sums may go to tensor cores: the environment can say no.
bool uses_tensor_cores() {
  if (const char* word = std::getenv("STENCIL_TENSOR_CORES"); word != nullptr && *word != 0) {
    const std::string_view value = word;
    if (value == "off") return false;
    if (value != "auto")
      throw WordsError(fmt::format(
          "STENCIL_TENSOR_CORES = {}: it is off or auto: use one of them, or unset it", value));
  }
  return has_ordered_tensor_cores();
}

// Which plain masks tensor cores sum faster, in float64, as measured on an H200 (12288 x 12288,
// masks with and without a kernel of their own, most of them 1.1 to 2 times). Masks that multiply
// no more than they read have nothing to gain but where they have no kernel of their own.

std::optional<Choice> axis_on_tensor_cores(const Sweep<double>& sweep, bool tiled) {
  // each warp wants 1024 outputs along a line, 32 along columns; some should find them
  if (sweep.width == 1) {
    if (sweep.height < 108 || sweep.rows < 64) return {};
    const int rows = band_that_fits(sweep, fits_tensor_axis);
    // bands read and write the sums again: below 160 rows they lose
    if (rows < sweep.height && rows < 160) return {};
    return Choice{Kernel::tensor_axis, rows};
  }
  if (sweep.width < (tiled ? 72 : 52) || sweep.columns < 2048) return {};
  return Choice{Kernel::tensor_axis, 1, (equal_parts(sweep.width, most_tensor_line) + 3) / 4 * 4};
}

std::optional<Choice> dense_on_tensor_cores(const Sweep<double>& sweep) {
  // tiles are 128 columns wide, those of small masks half of that
  if (sweep.columns < 80 && sweep.height * sweep.width < 50) return {};
  const int rows = band_that_fits(sweep, fits_tensor_dense);
  if (sweep.width < 5 || rows < 3 || (rows == 3 && sweep.width > 14)) return {};
  return Choice{Kernel::tensor_dense, rows};
}

template <class T>
std::optional<Choice> on_tensor_cores(const Sweep<T>& sweep, const Stencil<T>& stencil) {
  if (!uses_tensor_cores()) return {};
  if constexpr (sizeof(T) == 8) {
    const bool own = tiled(sweep, stencil).has_value();
    if (is_plain(stencil, Method::direct)) {
      if (sweep.width == 1 || sweep.height == 1) return axis_on_tensor_cores(sweep, own);
      if (!own) return dense_on_tensor_cores(sweep);
    }
    if (!is_plain(stencil, Method::separable) || !fits_tensor_separable(sweep)) return {};
    // even sides centred as `convolve` has it: rows do not begin where bulk copies may, so kernels
    // of their own copy element by element
    const bool own_is_slow = sweep.width % 2 == 0 && !has_bulk_tiles(sweep);
    if ((!own || own_is_slow) && (sweep.width >= 5 || sweep.height >= 12))
      return Choice{Kernel::tensor_separable, sweep.height};
  }
  return {};
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
  if (const int rows = band_that_fits(sweep, fits_strided_dense<T>); rows > 0)
    return {Kernel::strided_dense, rows};
  const int rows = band_that_fits(sweep, fits_strided_any<T>);
  return rows > 0 ? Choice{Kernel::strided_any, rows} : any;
}

}  // namespace

template <class T>
Choice choose(const Sweep<T>& sweep, const Stencil<T>& stencil) {
  const Choice any{Kernel::generic, sweep.height};
  if (const auto choice = on_tensor_cores(sweep, stencil)) return *choice;
  if (const auto kernel = tiled(sweep, stencil)) return {*kernel, sweep.height};
  if (sweep.stride_y != 1 || sweep.stride_x != 1) return choose_strided(sweep);
  if (sweep.separable && sweep.terms > 1) {
    if (sweep.weights.wanted || sweep.skip_zeros) return any;
    if (fits_tile_separable_sum(sweep)) return {Kernel::tile_separable_sum, sweep.height};
    const int rows = band_that_fits(sweep, fits_separable_sum<T>);
    return rows > 0 ? Choice{Kernel::separable_sum, rows} : any;
  }
  if (sweep.weights.wanted) {
    // sums over valid points cannot go on in the target
    const bool fits = sweep.separable ? fits_tile_separable_any(sweep) : fits_tile_valid(sweep);
    const Kernel kernel = sweep.separable ? Kernel::tile_separable_any : Kernel::tile_valid;
    return fits ? Choice{kernel, sweep.height} : any;
  }
  if (sweep.separable) {
    // taller ones sum too many rows twice in tiles
    if (sweep.height <= 32 && fits_tile_separable_any(sweep))
      return {Kernel::tile_separable_any, sweep.height};
    const int rows = band_that_fits(sweep, fits_separable<T>);
    return rows > 0 ? Choice{Kernel::separable, rows} : any;
  }
  if (sweep.width == 1 && fits_strip_column(sweep)) return {Kernel::strip_column, sweep.height};
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
std::string production_name(const Stencil<T>& stencil) {
  if (stencil.method == Method::fft) return fft_name(stencil);
  const Point many{1, 1 << 12, 1 << 16};
  const Index pitch = 1 << 17;
  const Sweep<T> sweep =
      make_sweep<T>(stencil, {}, {nullptr, many, 0, pitch}, {nullptr, many, 0, pitch});
  if (const auto plain = plain_first(sweep, stencil)) return production_name(*plain);
  const auto strides = fmt::format("strided {} {} ", stencil.stride[0], stencil.stride[1]);
  switch (choose(sweep, stencil).kernel) {
    case Kernel::strided_line:
      return fmt::format("cuda {}line {}", strides, stencil.width);
    case Kernel::strided_column:
      return fmt::format("cuda {}column {}", strides, stencil.height);
    case Kernel::strided_any:
      if (stencil.height == 1) return fmt::format("cuda {}line {}", strides, stencil.width);
      if (stencil.width == 1) return fmt::format("cuda {}column {}", strides, stencil.height);
      [[fallthrough]];
    case Kernel::strided_dense:
      return fmt::format("cuda {}dense {}x{}", strides, stencil.height, stencil.width);
    case Kernel::strided_separable:
      return fmt::format("cuda {}separable {}x{}", strides, stencil.height, stencil.width);
    case Kernel::tile_line:
    case Kernel::line:
    case Kernel::tile_column:
    case Kernel::strip_column:
    case Kernel::tile_dense:
    case Kernel::strip_dense:
    case Kernel::tile_wide:
    case Kernel::tensor_dense:
    case Kernel::tensor_axis:
    case Kernel::dense_small:
    case Kernel::tile_valid:
      if (stencil.height == 1) return fmt::format("cuda line {}", stencil.width);
      if (stencil.width == 1) return fmt::format("cuda column {}", stencil.height);
      return fmt::format("cuda dense {}x{}", stencil.height, stencil.width);
    case Kernel::tile_separable:
    case Kernel::strip_separable:
    case Kernel::tile_separable_any:
    case Kernel::tensor_separable:
    case Kernel::separable:
      return fmt::format("cuda separable {}x{}", stencil.height, stencil.width);
    case Kernel::tile_separable_sum:
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

template Choice choose(const Sweep<float>&, const Stencil<float>&);
template Choice choose(const Sweep<double>&, const Stencil<double>&);
template std::optional<Stencil<float>> plain_first(const Sweep<float>&, const Stencil<float>&);
template std::optional<Stencil<double>> plain_first(const Sweep<double>&, const Stencil<double>&);
template std::string production_name(const Stencil<float>&);
template std::string production_name(const Stencil<double>&);

}  // namespace stencil::cuda

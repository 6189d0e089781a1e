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
int band_that_fits(KernelArguments<T> arguments, bool (*fits)(const KernelArguments<T>&)) {
  const int height = arguments.height;
  for (int bands = 1; bands <= height; ++bands) {
    const int rows = (height + bands - 1) / bands;
    if (rows == arguments.height && bands > 1) continue;
    arguments.height = rows;
    if (fits(arguments)) return rows;
  }
  return 0;
}

/// The kernels that are made for the mask's own width.
template <class T>
std::optional<Kernel> tiled(const KernelArguments<T>& arguments, const Stencil<T>& stencil) {
  if (try_tile_line<T>(nullptr, stencil, nullptr)) return Kernel::tile_line;
  if (is_plain(stencil, Method::direct) && fits_strip_dense(arguments)) return Kernel::strip_dense;
  if (try_tile_dense<T>(nullptr, stencil, nullptr)) return Kernel::tile_dense;
  if (try_tile_separable<T>(nullptr, stencil, nullptr)) return Kernel::tile_separable;
  if (is_plain(stencil, Method::separable) && fits_strip_separable(arguments))
    return Kernel::strip_separable;
  return {};
}

/// Whether the unrolled kernel has this mask and would not mostly skip.
template <class T>
bool is_small(const KernelArguments<T>& arguments) {
  const int side = std::max(arguments.height, arguments.width);
  return side <= most_small && 3 * arguments.height * arguments.width >= 2 * side * side;
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

// Which ordinary masks tensor cores sum faster, in float64, as measured on an H200 (12288 x 12288,
// masks with and without a specialized kernel, most of them 1.1 to 2 times as fast). Masks that
// multiply no more than they read gain only if they have no specialized kernel.

std::optional<Choice> axis_on_tensor_cores(const KernelArguments<double>& arguments, bool tiled) {
  // each warp takes 1024 outputs along a line, 32 along columns; there should be enough for several
  // warps
  if (arguments.width == 1) {
    if (arguments.height < 108 || arguments.rows < 64) return {};
    const int rows = band_that_fits(arguments, fits_tensor_axis);
    // bands read and write the sums again: below 160 rows they lose
    if (rows < arguments.height && rows < 160) return {};
    return Choice{Kernel::tensor_axis, rows};
  }
  if (arguments.width < (tiled ? 72 : 52) || arguments.columns < 2048) return {};
  return Choice{Kernel::tensor_axis, 1,
                (equal_parts(arguments.width, most_tensor_line) + 3) / 4 * 4};
}

std::optional<Choice> dense_on_tensor_cores(const KernelArguments<double>& arguments) {
  // tiles are 128 columns wide, those of small masks half of that
  if (arguments.columns < 80 && arguments.height * arguments.width < 50) return {};
  const int rows = band_that_fits(arguments, fits_tensor_dense);
  if (arguments.width < 5 || rows < 3 || (rows == 3 && arguments.width > 14)) return {};
  return Choice{Kernel::tensor_dense, rows};
}

template <class T>
std::optional<Choice> on_tensor_cores(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil) {
  if (!uses_tensor_cores()) return {};
  if constexpr (sizeof(T) == 8) {
    const bool own = tiled(arguments, stencil).has_value();
    if (is_plain(stencil, Method::direct)) {
      if (arguments.width == 1 || arguments.height == 1)
        return axis_on_tensor_cores(arguments, own);
      if (!own) return dense_on_tensor_cores(arguments);
    }
    if (!is_plain(stencil, Method::separable) || !fits_tensor_separable(arguments)) return {};
    // Even sides with the centre of `convolve`: rows do not begin where bulk copies may begin, so
    // specialized kernels copy element by element.
    const bool own_is_slow = arguments.width % 2 == 0 && !has_bulk_tiles(arguments);
    if ((!own || own_is_slow) && (arguments.width >= 5 || arguments.height >= 12))
      return Choice{Kernel::tensor_separable, arguments.height};
  }
  return {};
}

template <class T>
Choice choose_strided(const KernelArguments<T>& arguments) {
  const Choice any{Kernel::generic, arguments.height};
  if (arguments.weights.wanted || arguments.terms > 1) return any;
  if (arguments.separable) {
    const int rows = band_that_fits(arguments, fits_strided_separable<T>);
    return rows > 0 ? Choice{Kernel::strided_separable, rows} : any;
  }
  if (!arguments.skip_zeros && arguments.height == 1 && fits_strided_line(arguments))
    return {Kernel::strided_line, 1};
  const int phases = int(std::min<long>(arguments.height, arguments.stride_y));
  if (!arguments.skip_zeros && arguments.width == 1 && arguments.stride_x == 1 &&
      phases <= most_strided_phases) {
    const int most = most_strided_ages * phases, bands = (arguments.height + most - 1) / most;
    return {Kernel::strided_column, (arguments.height + bands - 1) / bands};
  }
  if (const int rows = band_that_fits(arguments, fits_strided_dense<T>); rows > 0)
    return {Kernel::strided_dense, rows};
  const int rows = band_that_fits(arguments, fits_strided_any<T>);
  return rows > 0 ? Choice{Kernel::strided_any, rows} : any;
}

}  // namespace

template <class T>
Choice choose(const KernelArguments<T>& arguments, const Stencil<T>& stencil) {
  const Choice any{Kernel::generic, arguments.height};
  if (const auto choice = on_tensor_cores(arguments, stencil)) return *choice;
  if (const auto kernel = tiled(arguments, stencil)) return {*kernel, arguments.height};
  if (arguments.stride_y != 1 || arguments.stride_x != 1) return choose_strided(arguments);
  if (arguments.separable && arguments.terms > 1) {
    if (arguments.weights.wanted || arguments.skip_zeros) return any;
    if (fits_tile_separable_sum(arguments)) return {Kernel::tile_separable_sum, arguments.height};
    const int rows = band_that_fits(arguments, fits_separable_sum<T>);
    return rows > 0 ? Choice{Kernel::separable_sum, rows} : any;
  }
  if (arguments.weights.wanted) {
    // sums over valid points cannot go on in the target
    const bool fits =
        arguments.separable ? fits_tile_separable_any(arguments) : fits_tile_valid(arguments);
    const Kernel kernel = arguments.separable ? Kernel::tile_separable_any : Kernel::tile_valid;
    return fits ? Choice{kernel, arguments.height} : any;
  }
  if (arguments.separable) {
    // taller ones sum too many rows twice in tiles
    if (arguments.height <= 32 && fits_tile_separable_any(arguments))
      return {Kernel::tile_separable_any, arguments.height};
    const int rows = band_that_fits(arguments, fits_separable<T>);
    return rows > 0 ? Choice{Kernel::separable, rows} : any;
  }
  if (arguments.width == 1 && fits_strip_column(arguments))
    return {Kernel::strip_column, arguments.height};
  if (arguments.width == 1)
    return {Kernel::tile_column, equal_parts(arguments.height, most_column_taps)};
  if (arguments.height > 1 && is_small(arguments)) return {Kernel::dense_small, arguments.height};
  if (arguments.height > 1) {
    const int rows = band_that_fits(arguments, fits_tile_wide<T>);
    if (rows > 0) return {Kernel::tile_wide, rows};
  }
  KernelArguments<T> part = arguments;
  // parts begin where wide copies may
  part.width = (equal_parts(arguments.width, most_line_taps<T>) + 3) / 4 * 4;
  return fits_line(part) ? Choice{Kernel::line, 1, part.width} : any;
}

template <class T>
std::optional<Stencil<T>> plain_first(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil) {
  if (!arguments.weights.wanted || !arguments.keep_whole) return {};
  if (choose(arguments, stencil).kernel != Kernel::generic) return {};
  Stencil<T> plain = stencil;
  plain.min_valid.reset();
  KernelArguments<T> plain_arguments = arguments;
  plain_arguments.weights.wanted = false;
  if (choose(plain_arguments, plain).kernel == Kernel::generic) return {};
  return plain;
}

template <class T>
std::string production_name(const Stencil<T>& stencil) {
  if (stencil.method == Method::fft) return fft_name(stencil);
  const Point many{1, 1 << 12, 1 << 16};
  const Index pitch = 1 << 17;
  const KernelArguments<T> arguments =
      make_arguments<T>(stencil, {}, {nullptr, many, 0, pitch}, {nullptr, many, 0, pitch});
  if (const auto plain = plain_first(arguments, stencil)) return production_name(*plain);
  const auto strides = fmt::format("strided {} {} ", stencil.stride[0], stencil.stride[1]);
  switch (choose(arguments, stencil).kernel) {
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

template Choice choose(const KernelArguments<float>&, const Stencil<float>&);
template Choice choose(const KernelArguments<double>&, const Stencil<double>&);
template std::optional<Stencil<float>> plain_first(const KernelArguments<float>&,
                                                   const Stencil<float>&);
template std::optional<Stencil<double>> plain_first(const KernelArguments<double>&,
                                                    const Stencil<double>&);
template std::string production_name(const Stencil<float>&);
template std::string production_name(const Stencil<double>&);

}  // namespace stencil::cuda

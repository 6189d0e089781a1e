#include "kernels/cuda/production/choice.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "framework/grid/error.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/generated/instance.hpp"
#include "kernels/cuda/production/grid_size.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// Returns the size of the largest part if `count` elements are divided into as few nearly equal
/// parts as possible, each with at most `most` elements.
int equal_parts(int count, int most) {
  const int parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

/// Returns the number of rows of a band if the mask is divided into as few nearly equal bands as
/// possible, each of which fits; 0 if not even one row fits.
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

/// Times of a kernel for strides. The unit is the time in which one element is moved between memory
/// and the GPU. `tap` is the time of a tap if many warps run; with `few_warps` warps on a
/// multiprocessor, a tap takes twice as long. Measured on an H200
/// (docs/measurements/gpu_strides.md).
struct StridedTimes {
  double tap, few_warps;
};
constexpr StridedTimes dense_times{0.035, 6}, any_times{0.1, 16};

/// Returns the number of rows of the bands into which a mask with strides is divided. The number is
/// the one with the shortest expected time. The inputs of a tall mask take so much shared memory
/// that few warps fit. If the mask is divided into bands, more warps fit, but every band reads the
/// inputs again.
///
/// @param taps   number of taps that the kernel loops over for each output
/// @param warps  number of warps that run at once on a multiprocessor; 0 if the kernel does not
///               support the mask
/// @returns 0 if not even one row fits
template <class T>
int best_band(KernelArguments<T> arguments, const StridedTimes& times, int taps,
              int (*warps)(const KernelArguments<T>&)) {
  constexpr int most_bands = 16;  // more bands are tried only if none of these fits
  const int height = arguments.height;
  // per output: the inputs that are read, and the sum that is read and written
  const double moved = double(std::min<long>(arguments.stride_y, height)) *
                           double(std::min<long>(arguments.stride_x, arguments.width)) +
                       2;
  int best = 0;
  double least = 0;
  for (int bands = 1; bands <= height; ++bands) {
    const double most_warps = moved * bands + times.tap * taps;
    if (best > 0 && (bands > most_bands || most_warps >= least)) break;
    const int rows = (height + bands - 1) / bands;
    if (rows == arguments.height && bands > 1) continue;
    arguments.height = rows;
    const int resident = warps(arguments);
    if (resident == 0) continue;
    const double time = most_warps + times.tap * taps * times.few_warps / resident;
    if (best > 0 && time >= least) continue;
    best = rows;
    least = time;
  }
  return best;
}

template <class T>
Choice<T> generic(const KernelArguments<T>& arguments) {
  return {"generic", launch_generic<T>, arguments.height};
}

/// Returns whether float64 sums may use tensor cores. The environment variable STENCIL_TENSOR_CORES
/// can forbid this.
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

// Returns the kernel on tensor cores if it is faster for an ordinary float64 mask. The rules were
// measured on an H200 with 12288 x 12288 points. Most of these masks are 1.1 to 2 times as fast on
// tensor cores. Masks whose time is not dominated by multiplications gain only if there is no
// specialized kernel for them.

std::optional<Choice<double>> axis_on_tensor_cores(const KernelArguments<double>& arguments) {
  // each warp computes 1024 outputs along a line, or 32 along columns; there should be enough
  // outputs for several warps
  if (arguments.width == 1) {
    if (arguments.height < 108 || arguments.rows < 64) return {};
    const int rows = band_that_fits(arguments, fits_tensor_axis);
    // bands of fewer than 160 rows are slower, because every band reads and writes the sums again
    if (rows < arguments.height && rows < 160) return {};
    return Choice<double>{"tensor_axis", launch_tensor_axis, rows};
  }
  if (arguments.width < 72 || arguments.columns < 2048) return {};
  return Choice<double>{"tensor_axis", launch_tensor_axis, 1,
                        (equal_parts(arguments.width, most_tensor_line) + 3) / 4 * 4};
}

std::optional<Choice<double>> dense_on_tensor_cores(const KernelArguments<double>& arguments) {
  // tiles are 128 columns wide; the tiles of small masks are half as wide
  if (arguments.columns < 80 && arguments.height * arguments.width < 50) return {};
  const int rows = band_that_fits(arguments, fits_tensor_dense);
  if (arguments.width < 5 || rows < 3 || (rows == 3 && arguments.width > 14)) return {};
  return Choice<double>{"tensor_dense", launch_tensor_dense, rows};
}

template <class T>
std::optional<Choice<T>> on_tensor_cores(const KernelArguments<T>& arguments,
                                         const Stencil<T>& stencil) {
  if constexpr (sizeof(T) == 8) {
    if (!uses_tensor_cores()) return {};
    const bool own = choose_by_sides(arguments, stencil).has_value();
    if (is_plain(stencil, Method::direct)) {
      if (arguments.width == 1 || arguments.height == 1) return axis_on_tensor_cores(arguments);
      if (!own) return dense_on_tensor_cores(arguments);
    }
    if (!is_plain(stencil, Method::separable) || !fits_tensor_separable(arguments)) return {};
    // For masks with even sides and the centre of `convolve`, rows do not begin at addresses from
    // which bulk copies can start. Specialized kernels then copy element by element.
    const bool own_is_slow = arguments.width % 2 == 0 && !has_bulk_tiles(arguments);
    if ((!own || own_is_slow) && (arguments.width >= 5 || arguments.height >= 12))
      return Choice<T>{"tensor_separable", launch_tensor_separable, arguments.height};
  } else {
    uses_tensor_cores();  // throws if the variable has an invalid value, also in float32
  }
  return {};
}

/// Returns whether a kernel that reads a list of the taps that are not 0 is faster than a kernel
/// that loops over all taps and compares each of them with 0.
///
/// @param in_float32, in_float64  The list was faster on an H200 if the number of all taps was at
///                                least this multiple of the number of taps that are not 0.
template <class T>
bool is_sparse(const KernelArguments<T>& arguments, int in_float32, int in_float64) {
  const long share = sizeof(T) == 4 ? in_float32 : in_float64;
  return arguments.skip_zeros && arguments.multiplied <= most_listed_taps<T> &&
         share * arguments.multiplied <= long(arguments.height) * arguments.width;
}

/// Returns the number of rows of the bands for the kernel strided_any. If few taps are not 0, this
/// kernel loops over a list of them; otherwise it loops over all taps.
template <class T>
int best_rows_of_any(const KernelArguments<T>& arguments) {
  const bool lists = arguments.skip_zeros && arguments.multiplied <= most_listed_taps<T>;
  const int taps = lists ? arguments.multiplied : arguments.height * arguments.width;
  return best_band(arguments, any_times, taps, strided_any_warps<T>);
}

template <class T>
Choice<T> choose_strided(const KernelArguments<T>& arguments) {
  if (arguments.weights.wanted || arguments.terms > 1) return generic(arguments);
  if (arguments.separable) {
    const int rows = band_that_fits(arguments, fits_strided_separable<T>);
    if (rows > 0) return {"strided_separable", launch_strided_separable<T>, rows};
    return generic(arguments);
  }
  if (!arguments.skip_zeros && arguments.height == 1 && fits_strided_line(arguments))
    return {"strided_line", launch_strided_line<T>, 1};
  const int phases = int(std::min<long>(arguments.height, arguments.stride_y));
  if (!arguments.skip_zeros && arguments.width == 1 && arguments.stride_x == 1 &&
      phases <= most_strided_phases) {
    const int most = most_strided_ages * phases, bands = (arguments.height + most - 1) / most;
    return {"strided_column", launch_strided_column<T>, (arguments.height + bands - 1) / bands};
  }
  const bool lists = is_sparse(arguments, 8, 5);
  // the kernels for the sides of small masks do not support bands
  const int taps = arguments.height * arguments.width;
  const StridedTimes times = taps <= most_known_taps ? StridedTimes{} : dense_times;
  const int dense_rows = lists ? 0 : best_band(arguments, times, taps, strided_dense_warps<T>);
  if (dense_rows > 0) return {"strided_dense", launch_strided_dense<T>, dense_rows};
  const int rows = best_rows_of_any(arguments);
  if (rows > 0) return {"strided_any", launch_strided_any<T>, rows};
  return generic(arguments);
}

template <class T>
Choice<T> choose_sum(const KernelArguments<T>& arguments) {
  if (arguments.weights.wanted || arguments.skip_zeros) return generic(arguments);
  const int rows = band_that_fits(arguments, fits_strip_separable<T>);
  if (rows > 0) return {"strip_separable", launch_strip_separable<T>, rows};
  return generic(arguments);
}

/// Returns whether sums of a direct mask over valid points are computed by tile_dense, which is
/// compiled for the sides of the mask. That kernel is not used if the taps sum to 0, because
/// renormalized sums are then NaN even if no point is missing.
template <class T>
bool sums_valid_in_tiles(const KernelArguments<T>& arguments) {
  constexpr int most_columns = 24;
  return !arguments.separable && arguments.keep_whole && arguments.height > 1 &&
         arguments.width <= most_columns && arguments.height * arguments.width <= most_tile_taps &&
         has_bulk_tiles(arguments);
}

/// Chooses the kernel of a sum over valid points. Such a sum cannot continue from the target, so
/// there are no bands.
template <class T>
Choice<T> choose_valid(const KernelArguments<T>& arguments) {
  if (arguments.separable && fits_tile_separable_any(arguments))
    return {"tile_separable_any", launch_tile_separable_any<T>, arguments.height};
  if (sums_valid_in_tiles(arguments)) return {"tile_dense", launch_tile_dense<T>, arguments.height};
  if (!arguments.separable && fits_tile_valid(arguments))
    return {"tile_valid", launch_tile_valid<T>, arguments.height};
  return generic(arguments);
}

template <class T>
Choice<T> choose_separable(const KernelArguments<T>& arguments) {
  if (!arguments.skip_zeros) {
    // for wide masks, strips with several bands are slower than tiles
    if (sizeof(T) == 4 && std::min(arguments.height, arguments.width) > 65 &&
        std::max(arguments.height, arguments.width) <= 96)
      return {"tile_separable", launch_tile_separable<T>, arguments.height};
    const int rows = band_that_fits(arguments, fits_strip_separable<T>);
    if (rows > 0) return {"strip_separable", launch_strip_separable<T>, rows};
  }
  if (fits_tile_separable_any(arguments))
    return {"tile_separable_any", launch_tile_separable_any<T>, arguments.height};
  return generic(arguments);
}

template <class T>
Choice<T> choose_direct(const KernelArguments<T>& arguments) {
  // the strips of small grids are short
  if (arguments.width == 1 && points_of(arguments) >= small_grid && fits_strip_column(arguments)) {
    if constexpr (sizeof(T) == 4) return {"strip_column", launch_strip_column, arguments.height};
  }
  if (arguments.width == 1)
    return {"tile_column", launch_tile_column<T>, equal_parts(arguments.height, most_column_taps)};
  if (arguments.height > 1) {
    const int rows_of_list = is_sparse(arguments, 28, 12) ? best_rows_of_any(arguments) : 0;
    if (rows_of_list > 0) return {"strided_any", launch_strided_any<T>, rows_of_list};
    const int rows = band_that_fits(arguments, fits_tile_wide<T>);
    if (rows > 0) return {"tile_wide", launch_tile_wide<T>, rows};
  }
  KernelArguments<T> part = arguments;
  // each part begins at a tap for which wide copies are possible
  part.width = (equal_parts(arguments.width, most_line_taps<T>) + 3) / 4 * 4;
  if (fits_line(part)) return {"line", launch_line<T>, 1, part.width};
  return generic(arguments);
}

template <class T>
Choice<T> choose_compiled(const KernelArguments<T>& arguments, const Stencil<T>& stencil) {
  if (const auto choice = on_tensor_cores(arguments, stencil)) return *choice;
  if (const auto choice = choose_by_sides(arguments, stencil)) return *choice;
  if (arguments.stride_y != 1 || arguments.stride_x != 1) return choose_strided(arguments);
  if (arguments.separable && arguments.terms > 1) return choose_sum(arguments);
  if (arguments.weights.wanted) return choose_valid(arguments);
  return arguments.separable ? choose_separable(arguments) : choose_direct(arguments);
}

}  // namespace

template <class T>
KernelArguments<T> sweep_in_fields(const Stencil<T>& stencil) {
  const Point many{1, 1 << 12, 1 << 16};
  const Index pitch = 1 << 18;
  // Owned points begin at a cache line, and inputs begin half a mask before them. Only the offsets
  // within a line matter, because no element is read or written.
  constexpr Index line = 64 / Index(sizeof(T));
  alignas(64) static T lines[2 * line];
  T* const owned = lines + line;
  return make_arguments<T>(stencil, {}, {owned - stencil.width / 2 % line, many, 0, pitch},
                           {owned, many, 0, pitch});
}

template <class T>
Choice<T> choose(const KernelArguments<T>& arguments, const Stencil<T>& stencil) {
  if (!generated::can_generate()) return generic(arguments);
  try {
    return choose_compiled(arguments, stencil);
    // some kernels must be compiled before the number of blocks that fit is known
  } catch (const NoInstance&) {
    return generic(arguments);
  }
}

template <class T>
std::optional<Stencil<T>> plain_first(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil) {
  if (!arguments.weights.wanted || !arguments.keep_whole) return {};
  if (!choose(arguments, stencil).is_generic()) return {};
  Stencil<T> plain = stencil;
  plain.min_valid.reset();
  KernelArguments<T> plain_arguments = arguments;
  plain_arguments.weights.wanted = false;
  if (choose(plain_arguments, plain).is_generic()) return {};
  return plain;
}

template KernelArguments<float> sweep_in_fields(const Stencil<float>&);
template KernelArguments<double> sweep_in_fields(const Stencil<double>&);
template Choice<float> choose(const KernelArguments<float>&, const Stencil<float>&);
template Choice<double> choose(const KernelArguments<double>&, const Stencil<double>&);
template std::optional<Stencil<float>> plain_first(const KernelArguments<float>&,
                                                   const Stencil<float>&);
template std::optional<Stencil<double>> plain_first(const KernelArguments<double>&,
                                                    const Stencil<double>&);

}  // namespace stencil::cuda

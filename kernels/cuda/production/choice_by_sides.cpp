#include "kernels/cuda/production/choice_by_sides.hpp"

#include <algorithm>

#include "kernels/cuda/production/grid_size.hpp"

namespace stencil::cuda {
namespace {

// The choices in this file were measured on an H200 with `stencil_bench --benchmark_filter=kernels`
// (docs/measurements/gpu_kernels.md).

/// Returns whether the rows of a large grid are so short that a tenth of the tiles of tile_line or
/// more would be empty. Tiles of several rows are narrower.
template <class T>
bool rows_are_short(const KernelArguments<T>& arguments) {
  const long columns = line_tile_columns<T>, tiles = (arguments.columns + columns - 1) / columns;
  return points_of(arguments) >= large_grid && arguments.rows >= 64 &&
         10 * arguments.columns < 9 * tiles * columns;
}

/// Masks of one row or one column.
template <class T>
std::optional<Choice<T>> tiled_axis(const KernelArguments<T>& arguments,
                                    const Stencil<T>& stencil) {
  const int taps = std::max(arguments.height, arguments.width);
  const Choice<T> tile{"tile_dense", launch_tile_dense<T>, arguments.height};
  if (arguments.width == 1) {
    // in float32, multiply-adds with taller masks take about as long as reading the inputs, and
    // `strip_column` is faster for these masks
    if (taps <= (sizeof(T) == 4 ? 47 : most_tile_taps)) return tile;
    return {};
  }
  // in float32, on grids that are not large, tiles and the kernel `line` take up to 1.14 times as
  // long; a single row would leave most of a strip's warps without work
  if (sizeof(T) == 4 && taps > 24 && points_of(arguments) < large_grid && arguments.rows >= 64 &&
      fits_strip_walk(arguments, stencil))
    return Choice<T>{"strip_walk", launch_strip_walk<T>, arguments.height};
  if (!arguments.skip_zeros) {
    // on large grids, the kernel `line` is faster for wider masks
    const int most = sizeof(T) == 4 ? 33 : points_of(arguments) < large_grid ? 127 : 52;
    if (taps > most) return {};
    // in float64, masks of many taps are faster with tile_line on short rows, too
    if (sizeof(T) == 4 && rows_are_short(arguments)) return tile;
    return Choice<T>{"tile_line", launch_tile_line<T>, arguments.height};
  }
  if (taps <= 24) return tile;
  if (fits_strip_walk(arguments, stencil))
    return Choice<T>{"strip_walk", launch_strip_walk<T>, arguments.height};
  return {};
}

/// Direct masks of two axes.
template <class T>
std::optional<Choice<T>> tiled_direct(const KernelArguments<T>& arguments,
                                      const Stencil<T>& stencil) {
  const int height = arguments.height, width = arguments.width, taps = height * width;
  const int multiplied = arguments.multiplied;
  const bool skips = arguments.skip_zeros;
  const Choice<T> tile{"tile_dense", launch_tile_dense<T>, height};
  // these masks are limited by memory bandwidth, of which tiles use the most
  const int most_in_tiles = sizeof(T) == 8 ? 49 : height > width ? 45 : 36;
  if (multiplied <= most_in_tiles && taps <= most_tile_taps && std::max(height, width) <= 9)
    return tile;
  // on small grids the strips are short, and the sums over the rows above each strip take too much
  // of the time
  if (!skips && points_of(arguments) < large_grid && std::max(height, width) <= 9 &&
      has_bulk_tiles(arguments))
    return tile;
  if (!skips && points_of(arguments) < large_grid) {
    // tensor cores are up to 1.6 times as fast as strips for these masks
    if (sizeof(T) == 8 && taps > 64 && std::min(height, width) >= 5) return {};
    const bool flat = std::min(height, width) < 5 && taps <= most_tile_taps;
    const bool small = points_of(arguments) < small_grid;
    if (flat && (small || (sizeof(T) == 8 && height > width))) return tile;
    if (flat && sizeof(T) == 4 && fits_strip_dense(arguments))
      return Choice<T>{"strip_dense", launch_strip_dense<T>, height};
  }
  // in float64, and on small grids, strip_dense is faster except for low and narrow masks
  const bool walks = skips || std::min(height, width) < 5 ||
                     (sizeof(T) == 4 && taps <= 62 && points_of(arguments) >= large_grid);
  if (walks && fits_strip_walk(arguments, stencil))
    return Choice<T>{"strip_walk", launch_strip_walk<T>, height};
  if (!skips && taps <= (sizeof(T) == 4 ? 169 : 130) && fits_strip_dense(arguments))
    return Choice<T>{"strip_dense", launch_strip_dense<T>, height};
  if (taps <= most_tile_taps) return tile;
  return {};
}

/// Returns whether tiles are faster than strips for a separable mask.
template <class T>
bool is_faster_in_tiles(const KernelArguments<T>& arguments) {
  const int longer = std::max(arguments.height, arguments.width);
  if (points_of(arguments) >= large_grid) return longer <= 19;
  if (sizeof(T) == 8) return arguments.height + arguments.width <= 66;
  return longer <= (points_of(arguments) < small_grid ? 65 : 12);
}

template <class T>
std::optional<Choice<T>> tiled_separable(const KernelArguments<T>& arguments) {
  if (arguments.skip_zeros) return {};
  if (is_faster_in_tiles(arguments))
    return Choice<T>{"tile_separable", launch_tile_separable<T>, arguments.height};
  if (fits_strip_separable(arguments))
    return Choice<T>{"strip_separable", launch_strip_separable<T>, arguments.height};
  return {};
}

}  // namespace

template <class T>
std::optional<Choice<T>> choose_by_sides(const KernelArguments<T>& arguments,
                                         const Stencil<T>& stencil) {
  const bool ordinary = arguments.stride_y == 1 && arguments.stride_x == 1 &&
                        !arguments.weights.wanted && arguments.terms <= 1;
  if (!ordinary) return {};
  if (arguments.separable) return tiled_separable(arguments);
  if (arguments.height == 1 || arguments.width == 1) return tiled_axis(arguments, stencil);
  return tiled_direct(arguments, stencil);
}

template std::optional<Choice<float>> choose_by_sides(const KernelArguments<float>&,
                                                      const Stencil<float>&);
template std::optional<Choice<double>> choose_by_sides(const KernelArguments<double>&,
                                                       const Stencil<double>&);

}  // namespace stencil::cuda

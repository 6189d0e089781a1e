#include "kernels/bind/kernel_name.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "kernels/cpu/vector_extension.hpp"

namespace stencil {
namespace {

/// Describes how one sweep over the points computes the sums, with the number of taps: `17 + 17
/// taps in one sweep`.
template <class T>
std::string sweep(const Stencil<T>& stencil) {
  const Index height = stencil.height, width = stencil.width;
  if (stencil.method == Method::separable && stencil.depth > 1)
    return fmt::format("volume, {} x ({} + {} + {}) taps of passes", stencil.terms, stencil.depth,
                       height, width);
  if (stencil.method == Method::separable && stencil.terms > 1)
    return fmt::format("sum of {0} separable, {0} x ({1} + {2}) taps in one sweep", stencil.terms,
                       height, width);
  if (stencil.method == Method::separable)
    return fmt::format("separable, {} + {} taps in one sweep", height, width);
  if (stencil.fft_tiles && stencil.depth > 1)
    return fmt::format("fft volume, {}x{}x{} taps, transforms of {}x{}", stencil.depth, height,
                       width, stencil.fft_tiles->tiles.y.points, stencil.fft_tiles->tiles.x.points);
  if (stencil.fft_tiles)
    return fmt::format("fft tiles, {}x{} taps, transforms of {}x{}", height, width,
                       stencil.fft_tiles->tiles.y.points, stencil.fft_tiles->tiles.x.points);
  if (stencil.method == Method::fft)
    return fmt::format("fft {}, {} taps, transforms of {}", height > 1 ? "columns" : "lines",
                       height * width, stencil.fft->blocks.points);
  const Index all = stencil.depth * height * width;
  const Index zeros = std::count(stencil.taps.begin(), stencil.taps.end(), T(0));
  const Index multiplied = stencil.multiply_zeros ? all : all - zeros;
  if (stencil.depth > 1)
    return fmt::format("volume, {} of {}x{}x{} taps", multiplied, stencil.depth, height, width);
  if (height > 1 && width > 1)
    return multiplied == all ? fmt::format("dense, {}x{} taps", height, width)
                             : fmt::format("sparse, {} of {}x{} taps", multiplied, height, width);
  return fmt::format("{}, {} tap{}", height > 1 ? "column" : "line", multiplied,
                     multiplied == 1 ? "" : "s");
}

}  // namespace

template <class T>
std::string kernel_name(const Stencil<T>& stencil) {
  const bool is_strided = stencil.stride != std::array<Index, 2>{1, 1};
  return fmt::format(
      "cpu {}{}{}, {}", sweep(stencil),
      is_strided ? fmt::format(", stride {} {}", stencil.stride[0], stencil.stride[1]) : "",
      stencil.min_valid ? ", over valid points" : "", cpu::to_string(cpu::vector_extension()));
}

template std::string kernel_name(const Stencil<float>&);
template std::string kernel_name(const Stencil<double>&);

}  // namespace stencil

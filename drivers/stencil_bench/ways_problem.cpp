#include "drivers/stencil_bench/ways_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil::bench {
namespace {

/// Returns whether a tap at (u, v) is 0 in masks of this kind. u and v are from -1 to 1 over the
/// mask.
bool is_zero(const std::string& kind, double u, double v, Index height, Index width) {
  if (kind == "disk") return u * u + v * v > 1;
  return kind == "star" && std::abs(u) * double(width) > 1 && std::abs(v) * double(height) > 1;
}

/// Returns taps without a symmetry. A disk is 0 outside of its circle, a star is 0 except on its
/// axes.
Mask dense_mask(const std::string& kind, Index height, Index width) {
  std::vector<double> taps;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const double v = (2.0 * double(y) + 1) / double(height) - 1,
                   u = (2.0 * double(x) + 1) / double(width) - 1;
      const double k = double(y * width + x);
      taps.push_back(is_zero(kind, u, v, height, width) ? 0 : std::sin(1 + 1.7 * (k * k + 1)));
    }
  if (height == 1 || width == 1) return Mask::line(taps, width == 1 ? y_axis : x_axis);
  return Mask::grid(taps, height, width);
}

/// Returns a sum of separable masks that hardly cancel each other. With one term, the mask stores
/// its factors; with several terms, the factors must be found.
Mask sum_of_outer(Index height, Index width, Index terms) {
  const auto factor = [](Index count, double seed, double least) {
    std::vector<double> taps;
    for (Index i = 0; i < count; ++i)
      taps.push_back(least + std::sin(seed + 1.7 * double(i * i + 1)));
    return taps;
  };
  std::vector<double> taps(height * width, 0.0);
  for (Index k = 0; k < terms; ++k) {
    const auto column = factor(height, 4 + double(k), k == 0 ? 2 : 0),
               row = factor(width, 7 - double(k), k == 0 ? 2 : 0);
    if (terms == 1) return Mask::outer(column, row);
    for (Index n = 0; n < height * width; ++n) taps[n] += column[n / width] * row[n % width];
  }
  return Mask::grid(taps, height, width);
}

Mask mask_of(const std::string& kind, Index height, Index width) {
  if (kind == "dense" || kind == "disk" || kind == "star") return dense_mask(kind, height, width);
  if (kind == "outer") return sum_of_outer(height, width, 1);
  if (kind == "sum 2") return sum_of_outer(height, width, 2);
  if (kind == "sum 3") return sum_of_outer(height, width, 3);
  throw WordsError(fmt::format("mask = {}: write dense, disk, star, outer, sum 2 or sum 3", kind));
}

}  // namespace

Stage stage_of(const Json& problem) {
  const auto [height, width] = problem["taps"].get<std::array<Index, 2>>();
  Stage stage;
  stage.mask = mask_of(problem["mask"], height, width);
  stage.stride = problem.value("stride", std::array<Index, 2>{1, 1});
  stage.steps = problem.value("steps", Index{1});
  if (problem.contains("min_valid")) {
    stage.min_valid = problem["min_valid"].get<double>();
    // Taps are made positive, because the weights of the valid points could otherwise sum to 0.
    for (double& tap : stage.mask.taps.values) tap = std::abs(tap);
  }
  return stage;
}

}  // namespace stencil::bench

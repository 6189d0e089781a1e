#include "kernels/families/families_round.hpp"

#include <fmt/core.h>

#include <cmath>

#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

/// Zeros for taps from -radius to radius along both axes.
Taps empty_grid(Index radius_y, Index radius_x) {
  const Index height = 2 * radius_y + 1, width = 2 * radius_x + 1;
  if (double(height) * double(width) > double(most_outer_taps))
    throw ShapeError(fmt::format("{} x {} taps are more than {}: use a smaller radius or sigma",
                                 height, width, most_outer_taps));
  return {height, width, List(height * width)};
}

/// Whether a point lies within an ellipse or on its edge. Computed without a division, so that the
/// result is exact for integer radii.
bool is_within(double y, double x, const Radii& radii) {
  const double by_y = y * radii[1], by_x = x * radii[0], all = radii[0] * radii[1];
  return by_y * by_y + by_x * by_x <= all * all;
}

Index whole_radius(double radius) {
  constexpr double most = double(Index{1} << 24);
  if (!(radius >= 0 && radius <= most))
    throw ShapeError(fmt::format("a radius of {} must be 0 to {:.0f} points", radius, most));
  return Index(std::floor(radius));
}

void add_outer(const List& column, const List& row, double times, Taps& taps) {
  const Index top = (taps.height - std::ssize(column)) / 2,
              left = (taps.width - std::ssize(row)) / 2;
  for (Index y = 0; y < std::ssize(column); ++y)
    for (Index x = 0; x < std::ssize(row); ++x)
      taps.values[(top + y) * taps.width + left + x] += times * column[y] * row[x];
}

}  // namespace

Taps ring_taps(const Radii& inner, const Radii& outer) {
  const Index radius_y = whole_radius(outer[0]), radius_x = whole_radius(outer[1]);
  Taps taps = empty_grid(radius_y, radius_x);
  const bool has_hole = inner[0] > 0 && inner[1] > 0;
  Index points = 0;
  const auto is_tap = [&](Index y, Index x) {
    return is_within(double(y), double(x), outer) &&
           !(has_hole && is_within(double(y), double(x), inner));
  };
  for (Index y = -radius_y; y <= radius_y; ++y)
    for (Index x = -radius_x; x <= radius_x; ++x)
      if (is_tap(y, x)) ++points;
  if (points == 0)
    throw ShapeError(fmt::format("no point lies between the radii {} {} and {} {}", inner[0],
                                 inner[1], outer[0], outer[1]));
  for (Index y = -radius_y; y <= radius_y; ++y)
    for (Index x = -radius_x; x <= radius_x; ++x)
      if (is_tap(y, x))
        taps.values[(y + radius_y) * taps.width + x + radius_x] = 1 / double(points);
  return taps;
}

List ring_taps(double inner, double outer) {
  const Index radius = whole_radius(outer), hole = inner > 0 ? whole_radius(inner) : -1;
  if (radius <= hole)
    throw ShapeError(fmt::format("no point lies between the radii {} and {}", inner, outer));
  List taps(2 * radius + 1, 1 / double(2 * (radius - hole) - (hole < 0 ? 1 : 0)));
  for (Index x = -hole; x <= hole; ++x) taps[x + radius] = 0;
  return taps;
}

Taps laplacian_of_gaussian(const std::array<double, 2>& sigma, const std::array<Index, 2>& radius) {
  Taps taps = empty_grid(radius[0], radius[1]);
  for (const int order : {2, 0})
    add_outer(gaussian_taps_within(sigma[0], order, radius[0]),
              gaussian_taps_within(sigma[1], 2 - order, radius[1]), 1, taps);
  return taps;
}

Taps difference_of_gaussians(const std::array<double, 2>& sigma, double ratio, double truncate) {
  const std::array<Index, 2> radius{gaussian_radius(ratio * sigma[0], truncate),
                                    gaussian_radius(ratio * sigma[1], truncate)};
  Taps taps = empty_grid(radius[0], radius[1]);
  add_outer(gaussian_taps(sigma[0], 0, truncate), gaussian_taps(sigma[1], 0, truncate), 1, taps);
  add_outer(gaussian_taps(ratio * sigma[0], 0, truncate),
            gaussian_taps(ratio * sigma[1], 0, truncate), -1, taps);
  return taps;
}

List difference_of_gaussians(double sigma, double ratio, double truncate) {
  List taps = gaussian_taps(ratio * sigma, 0, truncate);
  const List narrow = gaussian_taps(sigma, 0, truncate);
  for (double& tap : taps) tap = -tap;
  const Index beside = (std::ssize(taps) - std::ssize(narrow)) / 2;
  for (Index x = 0; x < std::ssize(narrow); ++x) taps[beside + x] += narrow[x];
  return taps;
}

}  // namespace stencil

#include "kernels/families/families_round.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

/// Returns taps of 0 from -radius to radius along two or three axes, the last of which is x.
Taps empty_grid(const std::vector<Index>& radius) {
  const bool is_volume = radius.size() == 3;
  std::vector<Index> extent;
  double count = 1;
  for (const Index one : radius) {
    extent.push_back(2 * one + 1);
    count *= double(extent.back());
  }
  const Index most = is_volume ? most_volume_taps : most_outer_taps;
  if (count > double(most))
    throw ShapeError(fmt::format("{} taps are more than {}: use a smaller radius or sigma",
                                 fmt::join(extent, " x "), most));
  return {extent[extent.size() - 2], extent.back(), List(std::size_t(count)),
          is_volume ? extent.front() : 1};
}

/// Returns whether a point is inside an ellipse or ellipsoid, or on its edge. No division is used,
/// so the result is exact for integer radii.
bool is_within(double z, double y, double x, const Radii& radii) {
  const double rz = radii.size() == 3 ? radii.front() : 1, ry = radii[radii.size() - 2],
               rx = radii.back();
  const double by_z = z * ry * rx, by_y = y * rz * rx, by_x = x * rz * ry, all = rz * ry * rx;
  return by_z * by_z + by_y * by_y + by_x * by_x <= all * all;
}

Index whole_radius(double radius) {
  constexpr double most = double(Index{1} << 24);
  if (!(radius >= 0 && radius <= most))
    throw ShapeError(fmt::format("a radius of {} must be 0 to {:.0f} points", radius, most));
  return Index(std::floor(radius));
}

/// Adds the product of one list per axis, multiplied by `times`, to the taps. The product and the
/// taps have the same centre.
void add_product(const std::vector<List>& lists, double times, Taps& taps) {
  const List one{1};
  const List& planes = lists.size() == 3 ? lists[0] : one;
  const List &column = lists[lists.size() - 2], &row = lists.back();
  const Index front = (taps.depth - std::ssize(planes)) / 2,
              top = (taps.height - std::ssize(column)) / 2,
              left = (taps.width - std::ssize(row)) / 2;
  for (Index z = 0; z < std::ssize(planes); ++z)
    for (Index y = 0; y < std::ssize(column); ++y)
      for (Index x = 0; x < std::ssize(row); ++x)
        taps.values[((front + z) * taps.height + top + y) * taps.width + left + x] +=
            times * planes[z] * column[y] * row[x];
}

}  // namespace

Taps ring_taps(const Radii& inner, const Radii& outer) {
  std::vector<Index> radius;
  for (const double one : outer) radius.push_back(whole_radius(one));
  Taps taps = empty_grid(radius);
  const bool has_hole = std::all_of(inner.begin(), inner.end(), [](double one) { return one > 0; });
  const Index rz = taps.depth / 2, ry = taps.height / 2, rx = taps.width / 2;
  Index points = 0, at = 0;
  for (Index z = -rz; z <= rz; ++z)
    for (Index y = -ry; y <= ry; ++y)
      for (Index x = -rx; x <= rx; ++x, ++at)
        if (is_within(double(z), double(y), double(x), outer) &&
            !(has_hole && is_within(double(z), double(y), double(x), inner))) {
          taps.values[at] = 1;
          ++points;
        }
  if (points == 0)
    throw ShapeError(fmt::format("no point lies between the radii {} and {}", fmt::join(inner, " "),
                                 fmt::join(outer, " ")));
  for (double& tap : taps.values)
    if (tap != 0) tap = 1 / double(points);
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

Taps laplacian_of_gaussian(const List& sigma, const std::vector<Index>& radius,
                           const List& divisors) {
  Taps taps = empty_grid(radius);
  for (std::size_t derived = 0; derived < sigma.size(); ++derived) {
    std::vector<List> lists;
    for (std::size_t axis = 0; axis < sigma.size(); ++axis)
      lists.push_back(gaussian_taps_within(sigma[axis], axis == derived ? 2 : 0, radius[axis]));
    if (!divisors.empty())
      for (double& tap : lists[derived]) tap /= divisors[derived];
    add_product(lists, 1, taps);
  }
  return taps;
}

Taps difference_of_gaussians(const List& sigma, double ratio, double truncate) {
  std::vector<Index> radius;
  std::vector<List> narrow, wide;
  for (const double one : sigma) {
    radius.push_back(gaussian_radius(ratio * one, truncate));
    narrow.push_back(gaussian_taps(one, 0, truncate));
    wide.push_back(gaussian_taps(ratio * one, 0, truncate));
  }
  Taps taps = empty_grid(radius);
  add_product(narrow, 1, taps);
  add_product(wide, -1, taps);
  return taps;
}

Mask sum_of_products(const std::vector<std::array<List, 3>>& products,
                     const std::array<Index, 3>& origin) {
  std::vector<Index> extent(3, 0);
  for (const auto& lists : products)
    for (std::size_t axis = 0; axis < 3; ++axis)
      extent[axis] = std::max(extent[axis], std::ssize(lists[axis]));
  const double count = double(extent[0]) * double(extent[1]) * double(extent[2]);
  if (count > double(most_volume_taps))
    throw ShapeError(fmt::format("{} taps are more than {}: use a smaller mask",
                                 fmt::join(extent, " x "), most_volume_taps));
  Taps taps{extent[1], extent[2], List(std::size_t(count)), extent[0]};
  Factors factors{{}, {}, std::ssize(products), {}};
  const auto append = [](const List& list, Index length, List& all) {
    const std::size_t beside = std::size_t(length - std::ssize(list)) / 2;
    all.insert(all.end(), beside, 0.0);
    all.insert(all.end(), list.begin(), list.end());
    all.insert(all.end(), beside, 0.0);
  };
  for (const auto& lists : products) {
    add_product({lists.begin(), lists.end()}, 1, taps);
    append(lists[0], extent[0], factors.plane);
    append(lists[1], extent[1], factors.column);
    append(lists[2], extent[2], factors.row);
  }
  Mask mask = Mask::volume(std::move(taps), origin);
  mask.factors = std::move(factors);
  mask.multiply_zeros = true;
  return mask;
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

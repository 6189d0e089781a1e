#include "kernels/mask.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

void require_finite(const std::vector<double>& taps) {
  const auto bad =
      std::find_if(taps.begin(), taps.end(), [](double t) { return !std::isfinite(t); });
  if (bad == taps.end()) return;
  throw ShapeError(fmt::format("tap {} of the mask is {}: every tap must be a finite number",
                               bad - taps.begin(), *bad));
}

void require_axis(Axis axis) {
  if (axis < batch_axis || axis > x_axis) throw ShapeError("a mask along axis " + to_string(axis));
}

Index centre_of(Index extent, Index origin, const std::string& axis) {
  const Index low = -(extent / 2), high = (extent - 1) / 2;
  if (origin < low || origin > high) {
    throw ShapeError(
        fmt::format("origin {} along {} puts the centre outside a mask of {} taps: use {} to {}",
                    origin, axis, extent, low, high));
  }
  return extent / 2 + origin;
}

/// Reverses the taps of every term; the order of the terms does not change.
void reverse_terms(std::vector<double>& taps, Index terms) {
  const Index count = Index(taps.size()) / terms;
  for (auto first = taps.begin(); first != taps.end(); first += count)
    std::reverse(first, first + count);
}

}  // namespace

Mask Mask::line(std::vector<double> taps, Axis axis, Index origin) {
  if (taps.empty()) throw ShapeError("the mask has no taps: give at least one number");
  require_axis(axis);
  require_finite(taps);
  const Index n = Index(taps.size());
  const Index centre = centre_of(n, origin, to_string(axis));
  Mask mask;
  mask.rank = 1;
  mask.axis = axis;
  const bool is_row = axis == x_axis;
  mask.taps = is_row ? Taps{1, n, std::move(taps)} : Taps{n, 1, std::move(taps)};
  mask.centre = is_row ? std::array<Index, 2>{0, centre} : std::array<Index, 2>{centre, 0};
  return mask;
}

Mask Mask::grid(Taps taps, std::array<Index, 2> origin) {
  if (taps.height < 1 || taps.width < 1 || taps.values.empty()) {
    throw ShapeError("the mask has no taps: give at least one number");
  }
  if (Index(taps.values.size()) != checked_multiply(taps.height, taps.width)) {
    throw ShapeError(fmt::format("a mask of {} rows and {} columns needs {} taps but has {}",
                                 taps.height, taps.width, taps.height * taps.width,
                                 taps.values.size()));
  }
  require_finite(taps.values);
  Mask mask;
  mask.rank = 2;
  mask.centre = {centre_of(taps.height, origin[0], "y"), centre_of(taps.width, origin[1], "x")};
  mask.taps = std::move(taps);
  mask.multiply_zeros = false;
  return mask;
}

Mask Mask::grid(std::vector<double> taps, Index rows, Index columns, std::array<Index, 2> origin) {
  return grid(Taps{rows, columns, std::move(taps)}, origin);
}

Mask Mask::grid(std::initializer_list<std::initializer_list<double>> rows,
                std::array<Index, 2> origin) {
  Taps taps{std::ssize(rows), rows.size() > 0 ? std::ssize(*rows.begin()) : 0, {}};
  for (const auto& row : rows) {
    if (std::ssize(row) != taps.width)
      throw ShapeError(
          fmt::format("the rows of a mask have {} and {} taps: give all rows the "
                      "same number of taps",
                      taps.width, row.size()));
    taps.values.insert(taps.values.end(), row);
  }
  return grid(std::move(taps), origin);
}

Mask Mask::volume(Taps taps, std::array<Index, 3> origin) {
  const Index count =
      checked_multiply(std::max<Index>(taps.depth, 0),
                       checked_multiply(std::max<Index>(taps.height, 0), taps.width));
  if (count < 1 || count > most_volume_taps || Index(taps.values.size()) != count)
    throw ShapeError(
        fmt::format("a mask of {} planes, {} rows and {} columns with {} taps: give 1 "
                    "to {} taps, one for each place",
                    taps.depth, taps.height, taps.width, taps.values.size(), most_volume_taps));
  require_finite(taps.values);
  Mask mask;
  mask.rank = 3;
  mask.centre_plane = centre_of(taps.depth, origin[0], "batch");
  mask.centre = {centre_of(taps.height, origin[1], "y"), centre_of(taps.width, origin[2], "x")};
  mask.taps = std::move(taps);
  mask.multiply_zeros = false;
  return mask;
}

Mask Mask::outer(std::vector<double> column, std::vector<double> row, std::array<Index, 2> origin) {
  require_finite(column);
  require_finite(row);
  if (column.empty() || row.empty())
    throw ShapeError("the mask has no taps: give at least one number");
  Mask mask;
  mask.rank = 2;
  mask.taps = {Index(column.size()), Index(row.size()), {}};
  mask.centre = {centre_of(mask.taps.height, origin[0], "y"),
                 centre_of(mask.taps.width, origin[1], "x")};
  if (checked_multiply(mask.taps.height, mask.taps.width) <= most_outer_taps) {
    for (const double c : column)
      for (const double r : row) mask.taps.values.push_back(c * r);
    require_finite(mask.taps.values);
  }
  mask.factors = Factors{std::move(column), std::move(row)};
  mask.multiply_zeros = true;
  return mask;
}

void require_sound(const Mask& mask) {
  const Taps& taps = mask.taps;
  if (taps.values.empty() && !mask.factors)
    throw ShapeError(
        "a mask without taps: make masks by Mask::line, Mask::grid or another function of Mask");
  const Index height = taps.height, width = taps.width,
              terms = mask.factors ? mask.factors->terms : 0;
  const auto has = [](const std::vector<double>& values, Index a, Index b) {
    return Index(values.size()) == checked_multiply(a, b);
  };
  const Index depth = taps.depth, plane = mask.centre_plane;
  if (depth < 1 || plane < 0 || plane >= depth || (depth > 1 && mask.rank != 3))
    throw ShapeError(
        fmt::format("a mask of rank {} of {} planes with its centre in plane {}: use "
                    "Mask::volume",
                    mask.rank, depth, plane));
  if (height < 1 || width < 1 ||
      (!taps.values.empty() && !has(taps.values, checked_multiply(depth, height), width)))
    throw ShapeError(fmt::format("a mask of {} rows and {} columns with {} taps", height, width,
                                 taps.values.size()));
  if (mask.factors &&
      (mask.rank == 3 ? !has(mask.factors->plane, terms, depth) : !mask.factors->plane.empty()))
    throw ShapeError(fmt::format("factors of {} taps along batch for a mask of {} planes",
                                 mask.factors->plane.size(), depth));
  if (mask.factors && (terms < 1 || !has(mask.factors->column, terms, height) ||
                       !has(mask.factors->row, terms, width)))
    throw ShapeError(
        fmt::format("{} factors of {} and {} taps for a mask of {} rows and {} columns", terms,
                    mask.factors->column.size(), mask.factors->row.size(), height, width));
  const auto [y, x] = mask.centre;
  if (y < 0 || y >= height || x < 0 || x >= width)
    throw ShapeError(fmt::format("a centre of {}, {} outside a mask of {} rows and {} columns", y,
                                 x, height, width));
  if (mask.rank < 1 || mask.rank > 3)
    throw ShapeError(fmt::format("a mask of rank {}: use 1, 2 or 3", mask.rank));
  require_axis(mask.axis);
  if (mask.rank == 1 && (mask.axis == x_axis ? height : width) != 1)
    throw ShapeError(fmt::format("a mask along {} of {} rows and {} columns: use Mask::line",
                                 to_string(mask.axis), height, width));
}

Mask flipped(const Mask& mask) {
  Mask result = mask;
  std::reverse(result.taps.values.begin(), result.taps.values.end());
  result.centre = {mask.taps.height - 1 - mask.centre[0], mask.taps.width - 1 - mask.centre[1]};
  result.centre_plane = mask.taps.depth - 1 - mask.centre_plane;
  if (result.factors) {
    reverse_terms(result.factors->column, result.factors->terms);
    reverse_terms(result.factors->row, result.factors->terms);
    reverse_terms(result.factors->plane, result.factors->terms);
  }
  return result;
}

}  // namespace stencil

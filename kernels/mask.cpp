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

/// Reverses the taps of every term; the terms stay in their order.
void reverse_terms(std::vector<double>& taps, Index terms) {
  const Index count = Index(taps.size()) / terms;
  for (auto first = taps.begin(); first != taps.end(); first += count)
    std::reverse(first, first + count);
}

}  // namespace

Mask make_mask_1d(std::vector<double> taps, Index origin, Axis axis) {
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

Mask make_mask_2d(Taps taps, std::array<Index, 2> origin) {
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

Mask make_mask_outer(Factors factors, std::array<Index, 2> origin) {
  require_finite(factors.column);
  require_finite(factors.row);
  Mask mask;
  mask.rank = 2;
  mask.taps = {Index(factors.column.size()), Index(factors.row.size()), {}};
  if (factors.column.empty() || factors.row.empty())
    throw ShapeError("the mask has no taps: give at least one number");
  mask.centre = {centre_of(mask.taps.height, origin[0], "y"),
                 centre_of(mask.taps.width, origin[1], "x")};
  if (checked_multiply(mask.taps.height, mask.taps.width) <= most_outer_taps) {
    for (const double c : factors.column)
      for (const double r : factors.row) mask.taps.values.push_back(c * r);
    require_finite(mask.taps.values);
  }
  mask.factors = std::move(factors);
  mask.multiply_zeros = true;
  return mask;
}

void require_sound(const Mask& mask) {
  const Taps& taps = mask.taps;
  if (taps.values.empty() && !mask.factors)
    throw ShapeError("a mask without taps: use make_mask_1d, make_mask_2d or make_mask_outer");
  const Index height = taps.height, width = taps.width,
              terms = mask.factors ? mask.factors->terms : 0;
  const auto has = [](const std::vector<double>& values, Index a, Index b) {
    return Index(values.size()) == checked_multiply(a, b);
  };
  if (height < 1 || width < 1 || (!taps.values.empty() && !has(taps.values, height, width)))
    throw ShapeError(fmt::format("a mask of {} rows and {} columns with {} taps", height, width,
                                 taps.values.size()));
  if (mask.factors && (terms < 1 || !has(mask.factors->column, terms, height) ||
                       !has(mask.factors->row, terms, width)))
    throw ShapeError(
        fmt::format("{} factors of {} and {} taps for a mask of {} rows and {} columns", terms,
                    mask.factors->column.size(), mask.factors->row.size(), height, width));
  const auto [y, x] = mask.centre;
  if (y < 0 || y >= height || x < 0 || x >= width)
    throw ShapeError(fmt::format("a centre of {}, {} outside a mask of {} rows and {} columns", y,
                                 x, height, width));
  if (mask.rank != 1 && mask.rank != 2)
    throw ShapeError(fmt::format("a mask of rank {}: use 1 or 2", mask.rank));
  require_axis(mask.axis);
  if (mask.rank == 1 && (mask.axis == x_axis ? height : width) != 1)
    throw ShapeError(fmt::format("a mask along {} of {} rows and {} columns: use make_mask_1d",
                                 to_string(mask.axis), height, width));
}

Mask flipped(const Mask& mask) {
  Mask result = mask;
  std::reverse(result.taps.values.begin(), result.taps.values.end());
  result.centre = {mask.taps.height - 1 - mask.centre[0], mask.taps.width - 1 - mask.centre[1]};
  if (result.factors) {
    reverse_terms(result.factors->column, result.factors->terms);
    reverse_terms(result.factors->row, result.factors->terms);
  }
  return result;
}

}  // namespace stencil

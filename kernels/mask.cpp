#include "kernels/mask.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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

Index centre_of(Index extent, Index origin, const char* axis) {
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

Mask make_mask_1d(std::vector<double> taps, Index origin, bool along_y) {
  if (taps.empty()) throw ShapeError("the mask has no taps: give at least one number");
  require_finite(taps);
  const Index n = Index(taps.size());
  const Index centre = centre_of(n, origin, along_y ? "y" : "x");
  Mask mask;
  mask.rank = 1;
  mask.taps = along_y ? Taps{n, 1, std::move(taps)} : Taps{1, n, std::move(taps)};
  mask.centre = along_y ? std::array<Index, 2>{centre, 0} : std::array<Index, 2>{0, centre};
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

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/device/field.hpp"
#include "kernels/stencil.hpp"

namespace stencil::bench {

/// One benchmark: a mask on a grid of random points, as the pipeline would run it on one rank.
struct Case {
  std::string name;  ///< `cpu/dense/3x3/f32`
  Mask mask;
  Method method = Method::direct;
  Point outputs{};  ///< `[batch, y, x]`
  Index adds = 0;   ///< multiply-adds per output
  std::array<Index, 2> stride{1, 1};
  std::optional<double> min_valid{};  ///< see Stencil
  Index missing_every = 0;            ///< every n-th input is NaN; if 0, no input is NaN
};

/// Returns a square mask that is the sum of `terms` separable masks. The mask stores their factors.
Mask sum_of_outer(Index width, Index terms);

/// Returns a mask of three axes with taps at its centre and at up to `reach` points from the centre
/// along each axis: 7 points for a reach of 1.
Mask star(Index reach);

/// Returns the cases of one element type: lines, columns, dense and separable masks of several
/// widths, some with missing points or a stride, and masks of three axes.
///
/// @param type    `f32` or `f64`, the last part of the names
/// @param points  approximate number of output points of each case
std::vector<Case> cpu_cases(const std::string& type, Index points);

}  // namespace stencil::bench

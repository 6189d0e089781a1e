#pragma once

#include "framework/grid/box.hpp"

namespace stencil {

/// Which points of its input one stencil stage computes, along one axis.
///
/// Output `o` of `count` reads the inputs `[low(o), low(o) + width)` with
/// `low(o) = first + o * stride - centre`, where `first` is the input index under the mask's centre
/// for output 0. For a mask of width w and centre c on n inputs (before striding):
///
///     extent   first       count
///     same     0           n
///     valid    c           n - w + 1
///     full     c - w + 1   n + w - 1
///
/// as in numpy.convolve; with a stride s every s-th of these remains, as `[::s]` does.
struct AxisSampling {
  Index extent = 1;  ///< inputs
  Index width = 1;   ///< taps
  Index centre = 0;  ///< index of the tap that lies on input `first + o * stride`
  Index first = 0;
  Index stride = 1;
  Index count = 1;  ///< outputs

  /// First input under the mask for output `o`; may be negative.
  Index low(Index o) const { return first + o * stride - centre; }
  /// Inputs that the outputs `[o.first, o.last)` read; empty if `o` is.
  Interval reads(const Interval& o) const {
    if (o.empty()) return {0, 0};
    return {low(o.first), low(o.last - 1) + width};
  }
};

enum class Extent { same, valid, full };

/// Builds the sampling of one axis.
///
/// @throws ShapeError  `valid` and the mask is wider than the axis, or a number is out of range.
AxisSampling make_sampling(Extent extent, Index inputs, Index width, Index centre, Index stride);

}  // namespace stencil

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
/// as in numpy.convolve; with a stride s every s-th of these remains.
///
/// Channels fold into the batch axis, where every output channel of an image reads all its input
/// channels: outputs then come in blocks of `block_out` that read blocks of `block_in` inputs as a
/// whole (make_block_sampling). In the example of 6 channels in, 4 out, outputs 4 ... 7 read inputs
/// 6 ... 11.
struct AxisSampling {
  Index extent = 1;  ///< inputs
  Index width = 1;   ///< taps
  Index centre = 0;  ///< index of the tap that lies on input `first + o * stride`
  Index first = 0;
  Index stride = 1;
  Index count = 1;  ///< outputs
  Index block_in = 1, block_out = 1;

  /// First input under the mask for output `o`; may be negative.
  Index low(Index o) const { return first + o / block_out * block_in * stride - centre; }
  /// Inputs that the outputs `[o.first, o.last)` read; empty if `o` is.
  Interval reads(const Interval& o) const {
    if (o.empty()) return {0, 0};
    return {low(o.first), low(o.last - 1) + width + block_in - 1};
  }
};

enum class Extent { same, valid, full };

/// Builds the sampling of one axis.
///
/// @param shift  number of inputs by which output 0 is moved from the place that the extent gives
/// @throws ShapeError  `valid` and the mask is wider than the axis, or a number is out of range.
AxisSampling make_sampling(Extent extent, Index inputs, Index width, Index centre, Index stride,
                           Index shift = 0);

/// `blocks` blocks of `block_out` outputs, each made of a block of `block_in` inputs.
AxisSampling make_block_sampling(Index blocks, Index block_in, Index block_out);

}  // namespace stencil

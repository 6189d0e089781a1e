#pragma once

#include "framework/grid/box.hpp"

namespace stencil {

/// Sampling of one axis by a stencil stage: the inputs that each output reads.
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
/// as in numpy.convolve. With a stride s only every s-th of these outputs is computed.
///
/// If an image has channels, they are folded into the batch axis, and each output channel reads all
/// input channels of its image. Outputs then form blocks of `block_out`, and each block reads a
/// whole block of `block_in` inputs (make_block_sampling). Example with 6 input channels and 4
/// output channels: outputs 4 ... 7 read inputs 6 ... 11.
struct AxisSampling {
  Index extent = 1;  ///< number of inputs
  Index width = 1;   ///< number of taps
  Index centre = 0;  ///< index of the tap that is applied to input `first + o * stride`
  Index first = 0;
  Index stride = 1;
  Index count = 1;  ///< number of outputs
  Index block_in = 1, block_out = 1;

  /// First input under the mask for output `o`; may be negative.
  Index low(Index o) const { return first + o / block_out * block_in * stride - centre; }
  /// Inputs that the outputs `[o.first, o.last)` read; empty if `o` is empty.
  Interval reads(const Interval& o) const {
    if (o.empty()) return {0, 0};
    return {low(o.first), low(o.last - 1) + width + block_in - 1};
  }
};

enum class Extent { same, valid, full };

/// Builds the sampling of one axis.
///
/// @param shift  number of inputs by which output 0 is moved from the position that `extent` gives
/// @throws ShapeError  the mask is wider than the axis and `extent` is `valid`, or a number is out
///                     of range.
AxisSampling make_sampling(Extent extent, Index inputs, Index width, Index centre, Index stride,
                           Index shift = 0);

/// Sampling of `blocks` blocks: each block of `block_out` outputs reads one block of `block_in`
/// inputs.
AxisSampling make_block_sampling(Index blocks, Index block_in, Index block_out);

}  // namespace stencil

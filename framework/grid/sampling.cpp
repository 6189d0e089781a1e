#include "framework/grid/sampling.hpp"

#include <fmt/core.h>

#include "framework/grid/error.hpp"

namespace stencil {

AxisSampling make_sampling(Extent extent, Index inputs, Index width, Index centre, Index stride,
                           Index shift) {
  AxisSampling s{.extent = inputs, .width = width, .centre = centre, .stride = stride};
  if (inputs < 1 || width < 1 || stride < 1 || centre < 0 || centre >= width)
    throw ShapeError(fmt::format("{} inputs, width {}, centre {}, stride {}: not a stencil", inputs,
                                 width, centre, stride));
  Index unstrided = inputs;
  if (extent == Extent::valid) {
    if (width > inputs)
      throw ShapeError(
          fmt::format("a mask of {} taps is wider than the axis of {} points, so extent = valid "
                      "leaves nothing: "
                      "use a narrower mask, or extent = same",
                      width, inputs));
    s.first = centre;
    unstrided = inputs - width + 1;
  } else if (extent == Extent::full) {
    s.first = centre - width + 1;
    unstrided = checked_add(inputs, width - 1);
  }
  if (shift < 0 || shift >= unstrided)
    throw ShapeError(fmt::format("outputs from {} on of {}: there are none", shift, unstrided));
  s.first += shift;
  s.count = (unstrided - 1 - shift) / stride + 1;
  return s;
}

AxisSampling make_block_sampling(Index blocks, Index block_in, Index block_out) {
  return {.extent = checked_multiply(blocks, block_in),
          .count = checked_multiply(blocks, block_out),
          .block_in = block_in,
          .block_out = block_out};
}

}  // namespace stencil

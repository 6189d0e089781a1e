#include "kernels/channels/channel_mask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {

ChannelMask make_channel_mask(const std::vector<Index>& dims, std::vector<double> values,
                              Index groups, std::array<Index, 2> origin) {
  Index count = dims.size() == 4 ? 1 : 0;
  for (const Index extent : dims) count = checked_multiply(count, std::max<Index>(extent, 0));
  if (count == 0 || count != static_cast<Index>(values.size()))
    throw ShapeError(
        fmt::format("a mask of shape {} with {} values is not [out, in, height, width]",
                    fmt::join(dims, "x"), values.size()));
  if (groups < 1 || dims[0] % groups != 0)
    throw ShapeError(fmt::format(
        "groups = {} does not divide the mask's {} output channels: write a divisor of {}", groups,
        dims[0], dims[0]));
  for (const double value : values)
    if (!std::isfinite(value)) throw ShapeError("the mask holds NaN or Inf: mend the mask");
  ChannelMask mask;
  mask.out = dims[0];
  mask.in = dims[1];
  mask.height = dims[2];
  mask.width = dims[3];
  mask.groups = groups;
  mask.values = std::move(values);
  const auto first = mask.values.begin();
  const Taps plane{mask.height, mask.width, {first, first + mask.height * mask.width}};
  mask.centre = Mask::grid(plane, origin).centre;
  return mask;
}

namespace {

void require_consistent(const ChannelMask& mask) {
  const Index taps = mask.height * mask.width;
  if (mask.out < 1 || mask.in < 1 || mask.groups < 1 || mask.out % mask.groups != 0 || taps < 1 ||
      std::ssize(mask.values) != checked_multiply(checked_multiply(mask.out, mask.in), taps))
    throw ShapeError(
        fmt::format("a mask of {} to {} channels in {} groups, of {} rows and {} columns with {} "
                    "taps: use make_channel_mask",
                    mask.in, mask.out, mask.groups, mask.height, mask.width, mask.values.size()));
}

}  // namespace

Mask first_plane(const ChannelMask& mask) {
  Mask plane = plane_of(mask, 0, 0);
  plane.multiply_zeros = false;
  return plane;
}

Mask plane_of(const ChannelMask& mask, Index out, Index in) {
  require_consistent(mask);
  const Index taps = mask.height * mask.width;
  const auto first = mask.values.begin() + (out * mask.in + in) * taps;
  Mask plane = Mask::grid({first, first + taps}, mask.height, mask.width);
  plane.multiply_zeros = true;
  plane.centre = mask.centre;
  require_sound(plane);
  return plane;
}

ChannelMask flipped(const ChannelMask& mask) {
  ChannelMask result = mask;
  const Index plane = mask.height * mask.width;
  for (auto first = result.values.begin(); first != result.values.end(); first += plane)
    std::reverse(first, first + plane);
  result.centre = {mask.height - 1 - mask.centre[0], mask.width - 1 - mask.centre[1]};
  return result;
}

}  // namespace stencil

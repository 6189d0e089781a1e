#include "kernels/channels/channel_mask.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {

ChannelMask make_channel_mask(const std::vector<Index>& dims, std::vector<double> values,
                              Index groups) {
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
  return {.out = dims[0],
          .in = dims[1],
          .height = dims[2],
          .width = dims[3],
          .groups = groups,
          .values = std::move(values)};
}

ChannelMask flipped(const ChannelMask& mask) {
  ChannelMask result = mask;
  const Index plane = mask.height * mask.width;
  for (auto first = result.values.begin(); first != result.values.end(); first += plane)
    std::reverse(first, first + plane);
  return result;
}

}  // namespace stencil

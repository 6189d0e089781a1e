#pragma once

#include <array>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// A multi-channel mask in double precision, correlated without flipping:
///
///     P[n, o, y, x] = sum_{c, j, i} M[o, c, j, i] * N[n, g * in + c, y - r_y + j, x - r_x + i]
///
/// Here r, the centre, is width / 2 + origin per axis, and g = o / (out / groups) is the group of
/// output channel o. With one group every output channel reads every input channel. With as many
/// groups as input channels (`in` = 1) each output channel reads only one of them (depthwise), as
/// torch.nn.functional.conv2d does.
struct ChannelMask {
  ChannelMask() = default;  // made by make_channel_mask

  Index out = 1;  ///< output channels
  Index in = 1;   ///< input channels of one group
  Index height = 1, width = 1;
  Index groups = 1;
  std::array<Index, 2> centre{};  ///< tap on the point itself, {y, x}
  std::vector<double> values;     ///< `[out, in, height, width]`, row-major

  /// Input channels of all groups.
  Index channels() const { return in * groups; }
  /// Multiply-adds for one point of one output channel.
  Index taps() const { return in * height * width; }
};

/// @param dims    `[out, in, height, width]`
/// @param groups  of channels; a group of outputs reads only the inputs of the same group
/// @param origin  {y, x}, as for Mask::grid
/// @throws ShapeError  `dims` are not four extents of 1 or more, `values` has another size or
///                     is not finite, `groups` does not divide the output channels, an origin that
///                     puts the centre outside the mask
ChannelMask make_channel_mask(const std::vector<Index>& dims, std::vector<double> values,
                              Index groups = 1, std::array<Index, 2> origin = {});

/// The taps from the first input channel to the first output channel, with the centre.
/// @throws ShapeError  members that were set one by one and do not fit each other
Mask first_plane(const ChannelMask& mask);

/// The mask of the convolution: both spatial axes flipped with the centre, channels where they are.
ChannelMask flipped(const ChannelMask& mask);

}  // namespace stencil

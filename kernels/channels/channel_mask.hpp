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
/// Here r, the centre, is width / 2 + origin for each axis, and g = o / (out / groups) is the group
/// of output channel o. With one group, every output channel reads every input channel. With as
/// many groups as input channels (`in` = 1), each output channel reads only one input channel
/// (depthwise), as in torch.nn.functional.conv2d.
struct ChannelMask {
  ChannelMask() = default;  // use make_channel_mask

  Index out = 1;  ///< output channels
  Index in = 1;   ///< input channels of one group
  Index height = 1, width = 1;
  Index groups = 1;
  std::array<Index, 2> centre{};  ///< {y, x} of the tap at the output's position
  std::vector<double> values;     ///< `[out, in, height, width]`, row-major

  /// Number of input channels of all groups.
  Index channels() const { return in * groups; }
  /// Number of multiply-adds per point of one output channel.
  Index taps() const { return in * height * width; }
};

/// Makes a mask from its taps.
///
/// @param dims    `[out, in, height, width]`
/// @param groups  number of groups of channels; the outputs of a group read only the inputs of this
///                group
/// @param origin  {y, x}, see Mask::grid
/// @throws ShapeError  `dims` are not four extents of 1 or more; `values` has another size or is
///                     not finite; `groups` does not divide the output channels; an origin puts the
///                     centre outside the mask
ChannelMask make_channel_mask(const std::vector<Index>& dims, std::vector<double> values,
                              Index groups = 1, std::array<Index, 2> origin = {});

/// Returns the 2D mask that is applied to the first input channel for the first output channel,
/// with the same centre.
/// @throws ShapeError  the members of the mask contradict each other
Mask first_plane(const ChannelMask& mask);

/// Returns the 2D mask that is applied to input channel `in` of a group for output channel `out`,
/// with the centre of the mask of channels. Taps of 0 are multiplied, as in ChannelStencil.
/// @throws ShapeError  the members of the mask contradict each other
Mask plane_of(const ChannelMask& mask, Index out, Index in);

/// Returns the mask whose correlation equals the convolution with this mask: both spatial axes and
/// the centre are flipped; the order of the channels does not change.
ChannelMask flipped(const ChannelMask& mask);

}  // namespace stencil

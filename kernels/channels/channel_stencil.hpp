#pragma once

#include <array>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/channels/channel_mask.hpp"

namespace stencil {

/// A multi-channel mask in the compute type, for the kernels of all backends. Sums start from +0
/// and add taps in the order c, j, i with one fused multiply-add per tap, including taps of exactly
/// 0. Every NaN in the output is the same quiet NaN. Thus the bits do not depend on the order in
/// which outputs are computed.
template <class T>
struct ChannelStencil {
  Index out = 1;  ///< output channels of all groups
  Index in = 1;   ///< input channels of one group
  Index groups = 1;
  Index height = 1, width = 1;
  std::vector<T> taps;                ///< `[out, in, height, width]`, row-major
  std::array<Index, 2> stride{1, 1};  ///< {y, x}

  Index channels() const { return in * groups; }
  Index out_per_group() const { return out / groups; }
  Index taps_per_output() const { return in * height * width; }
};

/// Rounds a mask to T.
/// @throws ShapeError  a stride below 1; a tap too large for T
template <class T>
ChannelStencil<T> make_channel_stencil(const ChannelMask& mask, std::array<Index, 2> stride);

/// Returns the number of images in two views.
/// @throws ShapeError  an incomplete image, or more images in one view than in the other
Index images_in(Index channels, Index out, const Point& source, const Point& target);

}  // namespace stencil

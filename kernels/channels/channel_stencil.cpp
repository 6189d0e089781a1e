#include "kernels/channels/channel_stencil.hpp"

#include <fmt/core.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {

template <class T>
ChannelStencil<T> make_channel_stencil(const ChannelMask& mask, std::array<Index, 2> stride) {
  if (stride[0] < 1 || stride[1] < 1)
    throw ShapeError(
        fmt::format("stride = {} {} must be 1 or more along each axis", stride[0], stride[1]));
  ChannelStencil<T> result{.out = mask.out,
                           .in = mask.in,
                           .groups = mask.groups,
                           .height = mask.height,
                           .width = mask.width,
                           .taps = {},
                           .stride = stride};
  result.taps.reserve(mask.values.size());
  for (const double value : mask.values) {
    result.taps.push_back(T(value));
    if (!std::isfinite(result.taps.back()))
      throw ShapeError(
          fmt::format("tap {} of the mask is {}, too large for float32: scale the mask or use "
                      "precision = float64",
                      result.taps.size() - 1, value));
  }
  return result;
}

Index images_in(Index channels, Index out, const Point& source, const Point& target) {
  const Index images = target[batch_axis] / out;
  if (images * out == target[batch_axis] && images * channels == source[batch_axis]) return images;
  throw ShapeError(
      fmt::format("{} planes of input and {} of output are not whole images of {} and {} channels",
                  source[batch_axis], target[batch_axis], channels, out));
}

template ChannelStencil<float> make_channel_stencil(const ChannelMask&, std::array<Index, 2>);
template ChannelStencil<double> make_channel_stencil(const ChannelMask&, std::array<Index, 2>);

}  // namespace stencil

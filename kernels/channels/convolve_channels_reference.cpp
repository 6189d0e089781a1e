#include "kernels/channels/convolve_channels_reference.hpp"

namespace stencil {
namespace {

/// Computes one output; `n` is the image and `o` the output channel.
template <class T>
double output(const ChannelStencil<T>& stencil, const FieldView<const T>& source, Index n, Index o,
              Index y, Index x) {
  const Index first = n * stencil.channels() + o / stencil.out_per_group() * stencil.in;
  double sum = 0;
  for (Index c = 0; c < stencil.in; ++c)
    for (Index j = 0; j < stencil.height; ++j)
      for (Index i = 0; i < stencil.width; ++i) {
        const Index tap = ((o * stencil.in + c) * stencil.height + j) * stencil.width + i;
        sum += double(stencil.taps[tap]) *
               double(source.at(first + c, y * stencil.stride[0] + j, x * stencil.stride[1] + i));
      }
  return sum;
}

}  // namespace

template <class T>
void convolve_channels_reference(const ChannelStencil<T>& stencil, FieldView<const T> source,
                                 FieldView<double> target) {
  const Index images = images_in(stencil.channels(), stencil.out, source.extent, target.extent);
  for (Index n = 0; n < images; ++n)
    for (Index o = 0; o < stencil.out; ++o)
      for (Index y = 0; y < target.extent[1]; ++y)
        for (Index x = 0; x < target.extent[2]; ++x)
          target.at(n * stencil.out + o, y, x) = output(stencil, source, n, o, y, x);
}

template void convolve_channels_reference(const ChannelStencil<float>&, FieldView<const float>,
                                          FieldView<double>);
template void convolve_channels_reference(const ChannelStencil<double>&, FieldView<const double>,
                                          FieldView<double>);

}  // namespace stencil

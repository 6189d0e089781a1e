#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {

/// The sum of convolve_channels_cpu as plain loops in double precision: the definition of correct.
template <class T>
void convolve_channels_reference(const ChannelStencil<T>& stencil, FieldView<const T> source,
                                 FieldView<double> target);

}  // namespace stencil

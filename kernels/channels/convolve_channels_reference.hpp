#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {

/// Computes the sums of convolve_channels_cpu by plain loops in double precision, as the reference
/// for tests.
template <class T>
void convolve_channels_reference(const ChannelStencil<T>& stencil, FieldView<const T> source,
                                 FieldView<double> target);

}  // namespace stencil

#pragma once

#include <array>
#include <memory>
#include <string>

#include "kernels/bound_stencil.hpp"
#include "kernels/channels/channel_mask.hpp"
#include "kernels/method/method_choice.hpp"

namespace stencil {

/// Binds a mask of channels with Method::fft to the kernels of a CPU. Every input channel is
/// filtered with its masks for all output channels (bind_bank), and these results are added in the
/// order of the input channels, starting with channel 0. So the bits of an output depend only on
/// the inputs of its blocks or tiles. The outputs are computed in parts, so that the temporary
/// results of one input channel need little memory.
///
/// @param choice  the result of choose_for_channels(); Method::fft
/// @param stride  {y, x}
/// @throws ShapeError  a tap is too large for T
template <class T>
std::unique_ptr<BoundStencil<T>> bind_channel_transforms(Executor& executor,
                                                         const ChannelMask& mask,
                                                         const MethodChoice& choice,
                                                         std::array<Index, 2> stride);

/// Returns the name of these kernels, from the name of the kernel of one plane.
std::string channel_transform_name(const std::string& of_plane, const ChannelMask& mask);

/// Largest number of points of the temporary results of one input channel.
/// @param outputs  number of outputs, or more
Index channel_transform_scratch(const ChannelMask& mask, const MethodChoice& choice, Index outputs);

}  // namespace stencil

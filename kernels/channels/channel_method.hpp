#pragma once

#include "kernels/channels/channel_mask.hpp"
#include "kernels/method/method_choice.hpp"
#include "kernels/method/method_request.hpp"
#include "kernels/method/method_site.hpp"

namespace stencil {

/// Largest number of pairs of an output and an input channel that transforms take: each pair has a
/// spectrum of its own.
inline constexpr Index most_transformed_pairs = 16;

/// Like choose_method(), for masks of channels, which are summed directly or by transforms. Both
/// need a time that is proportional to the number of input channels, so the costs are those of one
/// plane of the mask.
///
/// @returns the method, with the first plane of the mask
/// @throws ShapeError  separable was requested; or fft was requested, and the mask is too large or
///                     has groups or more than most_transformed_pairs, or the backend is a GPU
MethodChoice choose_for_channels(const ChannelMask& mask, MethodRequest request,
                                 const MethodSite& site);

}  // namespace stencil

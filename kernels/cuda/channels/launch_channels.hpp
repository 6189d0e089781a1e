#pragma once

#include <string>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/channels/channel_stencil.hpp"

struct CUstream_st;  // cudaStream_t, declared so that callers do not need CUDA's headers

namespace stencil::cuda {

/// Returns the taps of a stencil in the order in which the kernels read them. The caller copies
/// them to device memory aligned to 16 bytes. The output channels of a bundle are adjacent, and
/// bundles are padded with zeros.
template <class T>
std::vector<T> packed_channel_taps(const ChannelStencil<T>& stencil);

/// Queues on a stream the same computation as `convolve_channels_cpu`, with the same bits, for
/// views in device memory.
///
/// @param device_taps  packed_channel_taps(stencil) in device memory, valid until the work is
///                     complete
/// @throws ShapeError    the numbers of channels of the views do not correspond to whole images, or
///                       an axis has more than 2^30 points
/// @throws MachineError  the launch failed
template <class T>
void launch_channels(const ChannelStencil<T>& stencil, const T* device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

/// Name of the kernel that launch_channels uses for views with the padding of a Field: `cuda
/// channels 64 -> 64, 3x3, bundles of 8`, `cuda depthwise 3x3`.
template <class T>
std::string channels_name(const ChannelStencil<T>& stencil);

}  // namespace stencil::cuda

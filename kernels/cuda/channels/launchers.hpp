#pragma once

#include "kernels/cuda/channels/channel_tiling.hpp"

struct CUstream_st;

namespace stencil::cuda {

// The kernels that launch_channels calls. Each returns a cudaError_t as int.

/// Tiles of input and their taps staged in shared memory. @pre tiling.fits
template <class T>
int launch_tiled_channels(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                          T* target, const T* taps, CUstream_st* stream);

/// Inputs and taps read through the cache: any mask and stride.
template <class T>
int launch_cached_channels(const ChannelShape& shape, int bundle, const T* source, T* target,
                           const T* taps, CUstream_st* stream);

/// One input channel for each output channel, square masks of 3, 5 or 7, stride 1.
/// @pre is_depthwise(shape), row and plane of the source whole 16-byte pieces apart
template <class T>
int launch_depthwise(const ChannelShape& shape, const T* source, T* target, const T* taps,
                     CUstream_st* stream);

bool is_depthwise(const ChannelShape& shape);

}  // namespace stencil::cuda

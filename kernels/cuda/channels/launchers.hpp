#pragma once

#include "kernels/cuda/channels/channel_tiling.hpp"

struct CUstream_st;

namespace stencil::cuda {

// Kernels called by launch_channels. Each function returns a cudaError_t as int.

/// Sums tiles of inputs that are staged in shared memory with their taps.
/// @pre tiling.fits
template <class T>
int launch_tiled_channels(const ChannelShape& shape, const ChannelTiling& tiling, const T* source,
                          T* target, const T* taps, CUstream_st* stream);

/// Computes the sums from inputs and taps that are read through the cache, for any mask and stride.
template <class T>
int launch_cached_channels(const ChannelShape& shape, int bundle, const T* source, T* target,
                           const T* taps, CUstream_st* stream);

/// Sums one input channel per output channel, with square masks of 3, 5 or 7 and stride 1.
/// @pre is_depthwise(shape); the pitches of rows and planes of the source are multiples of 16 bytes
template <class T>
int launch_depthwise(const ChannelShape& shape, const T* source, T* target, const T* taps,
                     CUstream_st* stream);

bool is_depthwise(const ChannelShape& shape);

}  // namespace stencil::cuda

#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/bound_stencil.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil::cuda {

/// Implements bind_channels for a GPU, to whose memory it copies the taps. See bind_channels for
/// the arguments and errors.
template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_channels(CudaExecutor& executor,
                                                    const ChannelStencil<T>& stencil);

}  // namespace stencil::cuda

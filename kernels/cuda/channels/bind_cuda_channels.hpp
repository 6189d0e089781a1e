#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/bound_stencil.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil::cuda {

/// bind_channels for a GPU: puts the taps into its memory. Arguments and errors as there.
template <class T>
std::unique_ptr<BoundStencil<T>> bind_cuda_channels(CudaExecutor& executor,
                                                    const ChannelStencil<T>& stencil);

}  // namespace stencil::cuda

#pragma once

#include <memory>
#include <optional>

#include "kernels/bound_stencil.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {

/// Binds a multi-channel mask to the kernels of an executor. `run` queues the sums of
/// convolve_channels_cpu.
///
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_channels(Executor& executor,
                                               const ChannelStencil<T>& stencil);

}  // namespace stencil

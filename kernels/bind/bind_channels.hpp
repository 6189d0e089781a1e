#pragma once

#include <memory>
#include <optional>

#include "kernels/bound_stencil.hpp"
#include "kernels/channels/channel_stencil.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"

namespace stencil {

/// Binds a multi-channel mask to the kernels of an executor; `run` then queues the sum of
/// convolve_channels_cpu.
///
/// @throws WordsError    a strategy of the ladder is requested: none supports these masks
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_channels(Executor& executor, const ChannelStencil<T>& stencil,
                                               std::optional<cuda::Strategy> rung);

}  // namespace stencil

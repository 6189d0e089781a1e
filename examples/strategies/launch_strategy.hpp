#pragma once

#include "examples/strategies/strategy_name.hpp"
#include "kernels/cuda/launch.hpp"

namespace stencil::cuda {

/// Queues one sweep by one strategy; arguments and bits as for launch_production.
///
/// @throws WordsError  the strategy does not support this stencil: tiled_two_step with a 2D mask, a
///                     mask too large for constant or shared memory, separable, renormalizing
template <class T>
void launch_strategy(Strategy strategy, const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

}  // namespace stencil::cuda

#pragma once

#include <cstddef>

#include "examples/strategies/strategy_name.hpp"
#include "kernels/cuda/launch.hpp"

namespace stencil::cuda::ladder {

/// Refuses stencils that a strategy does not compute.
///
/// @param shared_limit  largest number of bytes of shared memory of a block on this device
/// @throws WordsError  the strategy does not support this stencil; the message names an alternative
template <class T>
void refuse_unless_on_rung(Strategy strategy, const Stencil<T>& stencil, std::size_t shared_limit);

}  // namespace stencil::cuda::ladder

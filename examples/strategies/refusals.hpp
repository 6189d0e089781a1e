#pragma once

#include <cstddef>

#include "examples/strategies/strategy_name.hpp"
#include "kernels/cuda/launch.hpp"

namespace stencil::cuda::ladder {

/// Refuses stencils that a strategy does not compute.
///
/// @param shared_limit  bytes of shared memory that a block can have on this device
/// @throws WordsError  the strategy does not support this stencil; the message says what to
///                     do instead
template <class T>
void refuse_unless_on_rung(Strategy strategy, const Stencil<T>& stencil, std::size_t shared_limit);

}  // namespace stencil::cuda::ladder

#pragma once

#include <cstddef>

#include "kernels/cuda/launch.hpp"

namespace stencil::cuda::ladder {

/// Lets through what a rung of the ladder computes.
///
/// @param shared_limit  bytes of shared memory that a block can have on this device
/// @throws WordsError  the rung does not have this stencil; the message says what to do instead
template <class T>
void refuse_unless_on_rung(Strategy strategy, const Stencil<T>& stencil, std::size_t shared_limit);

}  // namespace stencil::cuda::ladder

#pragma once

#include <string>

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// Returns the name of the kernel that a stage uses on the chain's backend.
/// @throws WordsError  STENCIL_SIMD does not name a vector extension of this processor
std::string kernel_of(const Chain& chain, std::size_t stage);

}  // namespace stencil

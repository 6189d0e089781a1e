#pragma once

#include <string>
#include <vector>

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// Returns the settings that must be equal on all ranks before a halo exchange, one line per
/// setting, such as `stage 0: steps = 3`, for Communicator::agree().
std::vector<std::string> facts_of(const Decomposition& blocks, const Halo& halo,
                                  const Boundary& boundary);

/// Returns the settings of a chain that must be equal on all ranks: all settings that affect its
/// results, and its decomposition. Taps are represented by a digest.
std::vector<std::string> facts_of(const Chain& chain);

}  // namespace stencil

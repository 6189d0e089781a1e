#pragma once

#include <string>
#include <vector>

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// The settings that must be equal on all ranks before they exchange halos, one line for each, such
/// as `stage 0: steps = 3`. For Communicator::agree().
std::vector<std::string> facts_of(const Decomposition& blocks, const Halo& halo,
                                  const Boundary& boundary);

/// The settings of a chain that must be equal on all ranks: all settings that decide its numbers,
/// and its decomposition. Taps are represented by a digest.
std::vector<std::string> facts_of(const Chain& chain);

}  // namespace stencil

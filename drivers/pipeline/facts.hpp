#pragma once

#include <string>
#include <vector>

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// What all ranks have to know alike before they exchange halos, a line for each fact, such as
/// `stage 0: steps = 3`. For Communicator::agree().
std::vector<std::string> facts_of(const Decomposition& blocks, const Halo& halo,
                                  const Boundary& boundary);

/// The same of a chain: all that decides its numbers, and how it is cut. Taps are given by a
/// digest.
std::vector<std::string> facts_of(const Chain& chain);

}  // namespace stencil

#pragma once

#include "framework/grid/shape.hpp"

namespace stencil {

/// Returns the bytes of memory that one rank may use: `run.memory` if set, otherwise its share of
/// the memory available on the node.
Index memory_available(Index configured, int ranks_on_node);

}  // namespace stencil

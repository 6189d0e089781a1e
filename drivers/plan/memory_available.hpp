#pragma once

#include "framework/grid/shape.hpp"

namespace stencil {

/// Bytes of memory that one rank may use: `run.memory`, or its share of what the node has
/// available.
Index memory_available(Index configured, int ranks_on_node);

}  // namespace stencil

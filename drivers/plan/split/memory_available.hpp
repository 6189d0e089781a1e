#pragma once

#include "framework/grid/shape.hpp"

namespace stencil {

/// Bytes of memory that one rank may use: `run.memory`, or its share of the memory available on the
/// node.
Index memory_available(Index configured, int ranks_on_node);

}  // namespace stencil

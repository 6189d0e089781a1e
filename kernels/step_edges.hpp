#pragma once

#include <array>

#include "kernels/level_spans.hpp"

namespace stencil {

/// The world around a block that is advanced several steps in one sweep.
struct StepEdges {
  std::array<StepAxis, 2> axis;  ///< {y, x} as the kernel sees them
  double value = 0;              ///< beyond the edge, where a rule is `constant`
};

}  // namespace stencil

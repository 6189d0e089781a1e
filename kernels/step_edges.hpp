#pragma once

#include <array>

#include "kernels/level_spans.hpp"

namespace stencil {

/// The edges of the world around a block that is advanced several steps in one sweep.
struct StepEdges {
  std::array<StepAxis, 2> axis;  ///< {y, x}, the axes of the kernel
  double value = 0;              ///< value beyond the edge, for the rule `constant`
  StepAxis batch{};              ///< the batch axis, for masks of three axes
};

}  // namespace stencil

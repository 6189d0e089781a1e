#pragma once

#include "drivers/plan.hpp"

namespace stencil {

/// Fills in memory, bytes and points of a plan whose stages and output are set.
/// @throws ShapeError  a number that does not fit into 64 bits
void count_costs(Plan& plan);

}  // namespace stencil

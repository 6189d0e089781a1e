#pragma once

#include <string>

#include "drivers/plan/plan.hpp"

namespace stencil {

/// The kernel that a stage gets on the plan's backend.
/// @throws WordsError  STENCIL_SIMD names no vector extension of this processor
std::string kernel_of(const Plan& plan, std::size_t stage);

}  // namespace stencil

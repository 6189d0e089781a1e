#pragma once

#include <string>

#include "drivers/plan/describe/describe.hpp"

namespace stencil {

/// The lines that --check prints for a reader: made of nothing but the description.
std::string plan_text(const Description& description);

}  // namespace stencil

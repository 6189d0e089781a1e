#pragma once

#include <string>

#include "drivers/plan/describe/describe.hpp"

namespace stencil {

/// Returns the text that --check prints. The text depends only on the description.
std::string plan_text(const Description& description);

}  // namespace stencil

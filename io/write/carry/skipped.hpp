#pragma once

#include <string>
#include <vector>

namespace stencil::storage {

/// Metadata of the input that are not in the output, one line each with the reason. A damaged
/// attribute is listed here and does not end the run.
using Skipped = std::vector<std::string>;

}  // namespace stencil::storage

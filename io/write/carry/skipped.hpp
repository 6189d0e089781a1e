#pragma once

#include <string>
#include <vector>

namespace stencil::storage {

/// Notes on metadata of the input that are not in the output, each with the reason. A damaged
/// attribute only adds a note and does not end the run.
using Skipped = std::vector<std::string>;

}  // namespace stencil::storage

#pragma once

#include <string>

namespace stencil {

/// Returns the text of --help: usage, every key with its values and default, exit statuses, an
/// example.
std::string help_text();

/// Returns the next steps, in at most eight lines, for a user who gave no arguments.
std::string guide_text();

}  // namespace stencil

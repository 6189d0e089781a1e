#pragma once

#include <string>

namespace stencil {

/// The text of --help: usage, every key with its values and default, exit statuses, an example.
std::string help_text();

}  // namespace stencil

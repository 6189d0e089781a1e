#pragma once

#include "drivers/config/config.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Parses the text of command line and file.
/// @throws WordsError  one line with file, line, section, key and value, and what to write instead:
///                     misspelt (nearest valid spelling), empty, given twice, out of range, not
///                     implemented yet.
Config parse_config(const ConfigWords& words);

}  // namespace stencil

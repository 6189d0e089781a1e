#pragma once

#include "drivers/config/config.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Parses the command line and the text of the configuration file.
/// @throws WordsError  one line with file, line, section, key and value, and a remedy: the key or
///                     value is misspelt (the message gives the nearest valid spelling), empty,
///                     given twice, out of range, or not implemented.
Config parse_config(const ConfigWords& words);

}  // namespace stencil

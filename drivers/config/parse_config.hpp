#pragma once

#include "drivers/config/config.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Parses the command line and the text of the configuration file.
/// @throws WordsError  with a message of one line that gives file, line, section, key, value and a
///                     remedy: the key or value is misspelt (the message gives the nearest valid
///                     spelling), empty, given twice, out of range, or not implemented.
Config parse_config(const ConfigWords& words);

}  // namespace stencil

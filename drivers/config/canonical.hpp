#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"

namespace stencil {

/// One setting with its value; a section is `input`, `output`, `missing`, `run` or the name of a
/// stage.
struct Setting {
  std::string section, key, value;
};

/// The settings that determine the output values, in the order of the key table, numbers in their
/// shortest exact form. Equal settings mean equal outputs, however the configuration was written.
///
/// Left out: the output's name, whether it may be overwritten and is verified; backend, kernel,
/// decomposition, memory, transport, checkpoints and time limits, which do not change the bits of a
/// result for a given method (the method that `auto` chose is stored with these settings); keys
/// that do not apply to a stage's mask; axes that were not given.
std::vector<Setting> canonical_settings(const Config& config);

/// The canonical settings, one `section.key=value` per line. Each line, preceded by `--`, is a
/// valid command line argument.
std::string canonical_text(const Config& config);

}  // namespace stencil

#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"

namespace stencil {

/// One setting and its value. `section` is `input`, `output`, `missing`, `run` or the name of a
/// stage.
struct Setting {
  std::string section, key, value;
};

/// Returns the settings that determine the output values, in the order of the key table, with
/// numbers in their shortest exact form. Two configurations with equal settings have equal outputs,
/// even if the configurations are written differently.
///
/// These settings are omitted: the output's file name, `overwrite` and `verify`; keys that do not
/// apply to a stage's mask; axes that were not given; and backend, kernel, decomposition, memory,
/// transport, checkpoints and time limits. The settings from `backend` on do not change the bits of
/// a result for a given method; the method that `auto` chose is stored with the settings.
std::vector<Setting> canonical_settings(const Config& config);

/// Returns the canonical settings as text, one `section.key=value` per line. Each line, preceded by
/// `--`, is a valid command-line argument.
std::string canonical_text(const Config& config);

}  // namespace stencil

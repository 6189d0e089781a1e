#pragma once

#include <string>

#include "drivers/config/config.hpp"

namespace stencil {

/// The settings that determine the output values, one `section.key=value` per line in the order of
/// the key table, numbers in their shortest exact form. Equal texts mean equal outputs, however the
/// configuration was written.
///
/// Left out: the output's name, whether it may be overwritten and is verified; backend, kernel,
/// decomposition, memory, transport, checkpoints and time limits, which change no bit of what a
/// method gives (which one `auto` took is told beside this text); keys that do not apply to a
/// stage's mask; axes that were not given. Each line, preceded by `--`, is a valid
/// command line argument.
std::string canonical_text(const Config& config);

}  // namespace stencil

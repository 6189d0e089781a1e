#pragma once

#include <string>

#include "drivers/config/config.hpp"

namespace stencil {

/// What decides the numbers, one `section.key=value` per line in the order of the key table,
/// numbers in their shortest exact form: equal texts mean equal outputs, however the words were
/// written.
///
/// Left out: the output's name and overwriting, and how the work is split and moved (decomposition,
/// memory, transport), which change no bit of the result; keys that mean nothing for a stage's
/// mask; axes that were not given. Each line, with `--` before it, is an argument of the command
/// line.
std::string canonical_text(const Config& config);

}  // namespace stencil

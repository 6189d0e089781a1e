#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Checks what parse_config() refuses in text, for a configuration that a program has filled in,
/// gives the output's dataset the name that it has by default, and sets `canonical`.
/// @throws WordsError  naming the key and its value
void require_sound(Config& config);

}  // namespace stencil

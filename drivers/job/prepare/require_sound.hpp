#pragma once

#include "drivers/config/config.hpp"

namespace stencil {

/// Makes the checks of parse_config() for a configuration that a program has filled in. Sets the
/// default name of the output's dataset, and `canonical`.
/// @throws WordsError  a value is invalid; the message gives the key and the value
void require_sound(Config& config);

}  // namespace stencil

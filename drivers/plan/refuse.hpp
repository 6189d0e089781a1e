#pragma once

#include <fmt/format.h>

#include <string>

#include "drivers/config/config.hpp"
#include "framework/grid/error.hpp"

namespace stencil {

/// What a stage's words ask for cannot be done. @throws WordsError  that names the stage
[[noreturn]] inline void refuse(const StageConfig& stage, const std::string& why) {
  throw WordsError(fmt::format("[{}] {}", stage.name, why));
}

}  // namespace stencil

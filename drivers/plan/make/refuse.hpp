#pragma once

#include <fmt/format.h>

#include <string>

#include "drivers/config/config.hpp"
#include "framework/grid/error.hpp"

namespace stencil {

/// Throws for a stage that is not possible as configured. @throws WordsError  names the stage
[[noreturn]] inline void refuse(const StageConfig& stage, const std::string& why) {
  throw WordsError(fmt::format("[{}] {}", stage.name, why));
}

}  // namespace stencil

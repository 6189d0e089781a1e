#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/plan.hpp"

namespace stencil {

/// Checks on one rank, before any work, that the report can be written and overwrites nothing that
/// the run reads or writes.
///
/// @throws WordsError    --report names the input, a mask, the configuration or the output
/// @throws StorageError  its folder does not exist or is not writable
void check_report(const Plan& plan, const Config& config);

/// Writes the report under a temporary name and renames it. On one rank.
/// @throws StorageError
void write_report(const std::string& file, const std::string& report);

}  // namespace stencil

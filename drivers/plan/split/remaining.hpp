#pragma once

#include <string>

#include "drivers/plan/problem.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// The specification of a checkpoint of the points before the first step of a problem.
OutputSpec checkpoint_of(const Problem& rest, const std::string& file,
                         const CheckpointRecord& record);

/// The problem of the steps that a checkpoint leaves to do: its points are the input.
/// @pre of the same run, and some steps are left
Problem remaining(const Problem& whole, const Checkpoint& from);

}  // namespace stencil

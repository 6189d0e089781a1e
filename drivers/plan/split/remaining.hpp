#pragma once

#include <string>

#include "drivers/plan/problem.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Returns the specification of a checkpoint of the points before the first step of a problem.
OutputSpec checkpoint_of(const Problem& rest, const std::string& file,
                         const CheckpointRecord& record);

/// Returns the problem of the steps that remain after a checkpoint; its input is the points of the
/// checkpoint.
/// @pre the checkpoint is of the same run, and steps remain
Problem remaining(const Problem& whole, const Checkpoint& from);

}  // namespace stencil

#pragma once

#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Returns the settings that determine the points after each step, one `name=value` per line: the
/// configuration, the size, time and shape of the input, the contents of the masks, the method of
/// each stage, the compute type, and the version of the program. Names of files (including those of
/// masks), resources, and settings that only determine how the output is stored are omitted.
std::string run_words(const Config& config, const Problem& problem);

/// Returns run_words() plus the settings that determine how the output is stored. Used for a run
/// with snapshots that continues in its unfinished output, whose attributes are written again.
std::string words_of_snapshots(const Config& config, const std::string& run);

/// Returns run_words() of a problem's checkpoint plus all attributes of its output. Used for a run
/// in windows that continues in its unfinished output, whose attributes are kept. @pre the problem
/// has a checkpoint
std::string words_of_output(const Problem& problem);

/// Returns one line about the first few settings in which a checkpoint and a run differ; empty if
/// there is no difference.
std::string difference(const std::string& checkpoint, const std::string& run);

/// Plans the checkpoints; returns std::nullopt if none are requested.
std::optional<CheckpointPlan> plan_checkpoint(const Config& config, const Problem& problem);

}  // namespace stencil

#pragma once

#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// The settings that decide the numbers after each step, one `name=value` per line: the
/// configuration, the size, time and shape of the input, the contents of the masks, the method of
/// each stage, the compute type, the version of the program. Left out: names of files, including
/// masks, settings that only decide how the output is stored, and resources.
std::string run_words(const Config& config, const Problem& problem);

/// run_words() and the settings that decide how the output is stored. For a run with snapshots that
/// continues in its unfinished output, whose attributes are written again.
std::string words_of_snapshots(const Config& config, const std::string& run);

/// run_words() of a problem's checkpoint, and all attributes of its output. For a run in windows
/// that continues in its unfinished output, whose attributes stay. @pre the problem has a
/// checkpoint
std::string words_of_output(const Problem& problem);

/// One line on the first few settings in which a checkpoint and a run differ; empty if they are the
/// same.
std::string difference(const std::string& checkpoint, const std::string& run);

/// Nothing if no checkpoint is asked for.
std::optional<CheckpointPlan> plan_checkpoint(const Config& config, const Problem& problem);

}  // namespace stencil

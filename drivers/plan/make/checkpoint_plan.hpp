#pragma once

#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// What decides the numbers after each step, one `name=value` per line: the words of the
/// configuration, the input by its size, time and shape, the masks by their contents, the method of
/// each stage, the type computed in, the version of the program. Left out: names of files, those of
/// masks too, what only decides how the output is stored, and the resources.
std::string run_words(const Config& config, const Problem& problem);

/// The words of a run, and what decides how its output is stored: of a run with snapshots that goes
/// on in its unfinished output, whose attributes are written anew.
std::string words_of_snapshots(const Config& config, const std::string& run);

/// The words of a problem's checkpoint, and all attributes of its output: of a run in windows that
/// goes on in its unfinished output, whose attributes stay. @pre the problem has a checkpoint
std::string words_of_output(const Problem& problem);

/// One line on the first few words in which a checkpoint and a run differ; empty if they are the
/// same.
std::string difference(const std::string& checkpoint, const std::string& run);

/// Nothing if no checkpoint is asked for.
std::optional<CheckpointPlan> plan_checkpoint(const Config& config, const Problem& problem);

}  // namespace stencil

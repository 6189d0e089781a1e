#pragma once

#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"
#include "io/write/resume/checkpoint_file.hpp"

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

/// The specification of a checkpoint of the points before the first step of a problem.
OutputSpec checkpoint_of(const Problem& rest, const std::string& file,
                         const CheckpointRecord& record);

/// The problem of the steps that a checkpoint leaves to do: its points are the input.
/// @pre of the same run, and some steps are left
Problem remaining(const Problem& whole, const Checkpoint& from);

}  // namespace stencil

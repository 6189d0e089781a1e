#pragma once

#include <memory>
#include <string>

#include "drivers/plan/problem.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Returns the name of the file that lists the finished snapshots of an unfinished output. All
/// checkpoints of a run use the same file.
std::string snapshots_record(const CheckpointPlan& plan);

/// Verifies that the unfinished output of an earlier run contains the snapshots that a checkpoint
/// lists, and returns the record of these snapshots. Each rank reads a share of the blocks. Changes
/// no file. Collective.
///
/// @param problem  the problem of the whole run
/// @param why  on rank 0: set to the reason, in one line, if the run cannot continue with these
///             snapshots
/// @returns null on all ranks if the run cannot continue with these snapshots
std::shared_ptr<const UnfinishedOutput> find_snapshots(const Communicator& communicator,
                                                       const Problem& problem,
                                                       const Checkpoint& checkpoint,
                                                       std::string& why);

}  // namespace stencil

#pragma once

#include <memory>
#include <string>

#include "drivers/plan/problem.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/unfinished_output.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// The file that lists the finished snapshots of an unfinished output; all checkpoints use it.
std::string snapshots_record(const CheckpointPlan& plan);

/// The snapshots that a checkpoint names, verified in the unfinished output of an earlier run; each
/// rank reads a share of their blocks. Changes no file. Collective.
///
/// @param problem  the problem of the whole run
/// @param why   on rank 0: in one line, why the run cannot continue with them
/// @returns null if it cannot, on all ranks
std::shared_ptr<const UnfinishedOutput> find_snapshots(const Communicator& communicator,
                                                       const Problem& problem,
                                                       const Checkpoint& checkpoint,
                                                       std::string& why);

}  // namespace stencil

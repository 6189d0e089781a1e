#pragma once

#include <memory>

#include "drivers/job/listener.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/unfinished_output.hpp"

namespace stencil {

/// The file that tells which windows of an output are done.
std::string windows_record(const CheckpointPlan& plan);

/// The unfinished output of an earlier run in windows, if it is there and may be gone on with; null
/// if there is none. Collective.
///
/// @param listener    is told why an unfinished output is not gone on with
/// @param may_remove  the record of what cannot be gone on with, which is about to be overwritten
/// @throws WordsError    on every rank alike: it is of another run
std::shared_ptr<const UnfinishedOutput> find_unfinished(const Communicator& communicator,
                                                        const Plan& plan, Listener& listener,
                                                        bool may_remove);

/// Whether the windows of a plan may be those that its unfinished output leaves to do.
bool can_go_on(const Plan& plan);

}  // namespace stencil

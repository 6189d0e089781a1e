#pragma once

#include <memory>

#include "drivers/job/report/listener.hpp"
#include "drivers/plan/way.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/output/unfinished_output.hpp"

namespace stencil {

/// Returns the name of the file that lists the finished windows of an output.
std::string windows_record(const CheckpointPlan& plan);

/// Returns the output that an earlier run in windows has left unfinished, if there is such an
/// output and this run may continue it. Otherwise returns null. Collective.
///
/// @param listener    receives the reason if there is an unfinished output that this run may not
///                    continue
/// @param may_remove  whether the record of an output that cannot be continued may be removed,
///                    because the output is about to be overwritten
/// @throws WordsError    on all ranks: the output belongs to another run
std::shared_ptr<const UnfinishedOutput> find_unfinished(const Communicator& communicator,
                                                        const Problem& problem, Listener& listener,
                                                        bool may_remove);

/// Returns whether a run that is computed in this way can continue an unfinished output. The
/// windows of the run must be cut along the same axis as the windows of the earlier run, and
/// consist of whole blocks of the file.
bool can_go_on(const RunWay& way, const UnfinishedOutput& unfinished);

}  // namespace stencil

#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/job/report/run_summary.hpp"
#include "drivers/job/watch/window_stop.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Reads, computes and writes the windows of a plan; each rank processes the windows in its share
/// of the outputs. Sets the seconds and the number of missing points of this rank in the summary.
/// Collective.
///
/// @param stop  stops the run between windows on request; if the plan has a checkpoint, completed
///              windows are kept for the next run. Null: requests are ignored
/// @throws Error  the same error on all ranks; its status is 75 if the run was stopped
template <class T>
void run_windows(Session& session, const Plan& plan, OutputFile& output, Listener& listener,
                 RunSummary& summary, WindowStop* stop = nullptr);

}  // namespace stencil

#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/job/report/run_summary.hpp"
#include "drivers/job/watch/window_stop.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Runs the passes of a plan one after the other, each in windows. Between them the points are in
/// two scratch files next to the output, which are reserved before any work, verified as the output
/// is, and removed as soon as the next pass has read them, or when the job ends early. Sets the
/// seconds and the number of missing points of this rank in the summary. Collective.
///
/// @param output  of the last pass
/// @param files   of checkpoints, which are then written by each pass, in place of the scratch
///                files; null: none
/// @param stop    stops the run; with `files` a later run continues after the last finished pass.
///                Null: nothing stops the run
/// @throws Error  agreed on by all ranks
template <class T>
void run_passes(Session& session, const Plan& plan, OutputFile& output, Listener& listener,
                RunSummary& summary, CheckpointFiles* files = nullptr, WindowStop* stop = nullptr);

}  // namespace stencil

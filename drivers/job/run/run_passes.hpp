#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/job/report/run_summary.hpp"
#include "drivers/job/watch/window_stop.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"

namespace stencil {

/// Runs the passes of a plan one after the other, each in windows. Between passes the points are
/// stored in two scratch files next to the output. The scratch files are reserved before any work
/// and verified like the output. Each scratch file is removed as soon as the next pass has read it,
/// or when the job ends early. Sets the seconds and the number of missing points of this rank in
/// the summary. Collective.
///
/// @param output  the output of the last pass
/// @param files   checkpoint files; if given, each pass except the last writes a checkpoint instead
///                of a scratch file. Null: no checkpoints are written
/// @param stop    stops the run on request; with `files` a later run continues after the last
///                finished pass. Null: requests are ignored
/// @throws Error  the same error on all ranks
template <class T>
void run_passes(Session& session, const Plan& plan, OutputFile& output, Listener& listener,
                RunSummary& summary, CheckpointFiles* files = nullptr, WindowStop* stop = nullptr);

}  // namespace stencil

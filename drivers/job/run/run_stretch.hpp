#pragma once

#include "drivers/job/prepare/planned_stretch.hpp"
#include "drivers/job/report/job_context.hpp"
#include "drivers/pipeline/session.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Predicts the time of a long run, runs the plan of a stretch, and writes its report. Collective.
///
/// @param context      the context of the job
/// @param checkpoints  checkpoint files; if null, no checkpoints are written
/// @throws Error  on all ranks
void run_stretch(Session& session, const PlannedStretch& stretch, const JobContext& context,
                 CheckpointFiles* checkpoints);

}  // namespace stencil

#pragma once

#include "drivers/job/report/job_context.hpp"
#include "drivers/job/report/run_summary.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Runs a plan: reads the input, computes the outputs and writes them. Returns the same summary on
/// every rank. Collective.
///
/// @param context  the context of the job
/// @param files    checkpoint files, removed at the end; if null, no checkpoints are written
/// @throws Error   on all ranks; an unfinished output is removed
RunSummary run_plan(Session& session, const Plan& plan, const JobContext& context = {},
                    CheckpointFiles* files = nullptr);

}  // namespace stencil

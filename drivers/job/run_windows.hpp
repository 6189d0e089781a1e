#pragma once

#include "drivers/job/progress.hpp"
#include "drivers/job/run.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output_file.hpp"

namespace stencil {

/// Reads, computes and writes the windows of a plan; each rank does those in its share of the
/// outputs. Sets the seconds and the number of missing points of this rank in the summary.
/// Collective.
///
/// @throws Error  agreed on by all ranks
template <class T>
void run_windows(Session& session, const Plan& plan, OutputFile& output, Progress& progress,
                 RunSummary& summary);

}  // namespace stencil

#pragma once

#include "drivers/job/prepare/planned_stretch.hpp"
#include "drivers/job/report/listener.hpp"
#include "drivers/pipeline/session.hpp"

namespace stencil {

/// Checks a stretch for --check: measures and predicts the run time, passes the plan to the
/// listener, and makes all checks on which a run could refuse to write the output. Collective.
/// @throws Error  on all ranks: the output is refused, or the listener threw
void check_stretch(const Session& session, const PlannedStretch& stretch, Listener& listener);

}  // namespace stencil

#pragma once

#include "drivers/job/prepare/planned_stretch.hpp"
#include "drivers/job/report/listener.hpp"
#include "drivers/pipeline/session.hpp"

namespace stencil {

/// --check: measures and predicts the time of the run of a stretch, gives its plan to the listener,
/// and makes all checks that could refuse the output. Collective.
/// @throws Error  on all ranks: the output is refused, or the listener has thrown
void check_stretch(const Session& session, const PlannedStretch& stretch, Listener& listener);

}  // namespace stencil

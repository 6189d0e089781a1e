#pragma once

#include "drivers/job/plan_stretch.hpp"
#include "drivers/pipeline/session.hpp"

namespace stencil {

/// --check: measures and predicts what the run of a stretch would cost, prints its plan on stdout
/// of rank 0, and makes all checks that could refuse the output. Collective.
/// @throws Error  on every rank alike: the output is refused, or stdout cannot be written
void check_stretch(const Session& session, const PlannedStretch& stretch);

}  // namespace stencil

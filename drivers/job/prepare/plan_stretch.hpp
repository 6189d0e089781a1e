#pragma once

#include <cstddef>
#include <optional>

#include "drivers/job/prepare/job_inputs.hpp"
#include "drivers/job/prepare/planned_stretch.hpp"
#include "drivers/job/report/listener.hpp"
#include "drivers/pipeline/session.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Plans the run of a stretch, continues the work of an earlier run that left a checkpoint, and
/// throws if the run is impossible. Collective.
///
/// @param index        the index of the stretch, from 0
/// @param listener     receives the plan, and a message if the run continues an earlier one
/// @param checkpoints  set if the run writes checkpoints; the object locks them against other runs
/// @throws Error  on all ranks
PlannedStretch plan_stretch(const Session& session, const JobInputs& inputs, std::size_t index,
                            Listener& listener, std::optional<CheckpointFiles>& checkpoints);

}  // namespace stencil

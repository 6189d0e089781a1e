#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/job/job_inputs.hpp"
#include "drivers/job/listener.hpp"
#include "drivers/job/report_file.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "drivers/plan/predict/prediction.hpp"
#include "framework/parallel/device_share.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// The run of one stretch of the input, before it begins. The stretch is the whole input, except
/// with input.gaps = split.
struct PlannedStretch {
  Config config;
  Plan plan{};
  DeviceShare device;
  std::string device_facts{};
  SampleCost cost{};
  std::unique_ptr<ReportFile> report{};  ///< on rank 0, if one is wanted
};

/// Plans the run of a stretch, takes over the work of an earlier run that left a checkpoint, and
/// refuses what cannot be done. Collective.
///
/// @param index        of the stretch, from 0
/// @param listener     receives the plan, and the message where the run continues
/// @param checkpoints  is set if the run writes checkpoints, which keeps other runs away from them
/// @throws Error  on every rank alike
PlannedStretch plan_stretch(const Session& session, const JobInputs& inputs, std::size_t index,
                            Listener& listener, std::optional<CheckpointFiles>& checkpoints);

}  // namespace stencil

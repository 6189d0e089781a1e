#pragma once

#include "drivers/config/config.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/device_share.hpp"

namespace stencil {

/// GPU memory in bytes that this rank needs; nothing on the CPU. Collective.
Index own_device_bytes(const Session& session, const Plan& plan);

/// Windows, if they are faster, or the world does not fit into the memory of the rank, or of the
/// GPU, that has least; passes in windows, if one cannot take all steps. Collective.
void plan_windows(const Session& session, const Config& config, const DeviceShare& device,
                  Plan& plan);

/// Refuses, before any work, a plan that needs more memory than a rank or a GPU has. Collective.
/// @throws MachineError  on every rank alike; tells the least that works
void require_memory(const Session& session, const Config& config, const DeviceShare& device,
                    const Plan& plan);

}  // namespace stencil

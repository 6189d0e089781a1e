#pragma once

#include "drivers/config/config.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/device_share.hpp"

namespace stencil {

/// GPU memory in bytes that this rank needs; nothing on the CPU. Collective.
Index own_device_bytes(const Session& session, const Problem& problem, const RunWay& way);

/// Completes a plan by choosing how the problem is computed: in windows, if they are faster, or if
/// the world does not fit into the memory of the rank, or of the GPU, that has least; in passes, if
/// windows cannot take all steps; else at once. A run that cannot continue its unfinished output in
/// this way starts from the beginning. Collective.
Plan choose_way(const Session& session, const Config& config, const DeviceShare& device,
                Problem problem, Start start);

/// Refuses, before any work, a plan that needs more memory than a rank or a GPU has. Collective.
/// @throws MachineError  on all ranks; names the least memory that suffices
void require_memory(const Session& session, const Config& config, const DeviceShare& device,
                    const Plan& plan);

}  // namespace stencil

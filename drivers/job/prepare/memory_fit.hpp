#pragma once

#include "drivers/config/config.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/device_share.hpp"

namespace stencil {

/// Returns the GPU memory in bytes that this rank needs; 0 on the CPU. Collective.
Index own_device_bytes(const Session& session, const Problem& problem, const RunWay& way);

/// Chooses how the problem is computed and returns the complete plan. Windows are chosen if they
/// are faster, or if the whole array does not fit into the memory of the rank or GPU with the least
/// memory; passes are chosen if windows are needed but cannot compute all steps. Otherwise the
/// whole array is computed at once. If the chosen way cannot continue an unfinished output, the run
/// starts from the beginning. Collective.
Plan choose_way(const Session& session, const Config& config, const DeviceShare& device,
                Problem problem, Start start);

/// Checks, before any work, that no rank and no GPU has less memory than a plan needs. Collective.
/// @throws MachineError  on all ranks: there is too little memory; the message gives the least
///                       memory that suffices
void require_memory(const Session& session, const Config& config, const DeviceShare& device,
                    const Plan& plan);

}  // namespace stencil

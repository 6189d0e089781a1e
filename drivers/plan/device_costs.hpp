#pragma once

#include "drivers/plan/plan.hpp"

namespace stencil {

/// Bytes of GPU memory that a rank of a plan needs at its peak: the fields of its largest stage,
/// ghosts included, a piece of the input on its way, taps, and the message buffers of all stages.
/// Every allocation counts as whole blocks of the GPU's. NCCL takes some hundred MiB of its own,
/// which nobody tells before.
Index device_bytes(const Plan& plan, int rank);

/// @param needed  bytes of a GPU that the ranks on it need together
/// @throws MachineError  they are more than `free`
void require_free(Index needed, Index free, std::size_t ranks);

}  // namespace stencil

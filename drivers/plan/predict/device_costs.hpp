#pragma once

#include "drivers/plan/problem.hpp"

namespace stencil {

/// Kernels, which are loaded when first launched, and their counters.
inline constexpr Index code_device_bytes = Index{64} << 20;

/// Bytes of GPU memory that a bound stage holds: its taps, and what its transforms need.
///
/// @param element  bytes of one point
Index stage_device_bytes(const BoundStage& stage, Index element);

/// Bytes of GPU memory that a rank of a plan needs at its peak: the fields of its largest stage,
/// ghosts included, a piece of the input in transfer, taps, and the message buffers of all stages.
/// Every allocation is rounded up to whole allocation blocks of the GPU. NCCL uses some hundred MiB
/// in addition, an amount that cannot be queried in advance.
Index device_bytes(const Problem& problem, int rank);

/// @param needed  bytes that all ranks on one GPU need together
/// @throws MachineError  `needed` is more than `free`
void require_free(Index needed, Index free, std::size_t ranks);

}  // namespace stencil

#pragma once

#include "drivers/plan/problem.hpp"

namespace stencil {

/// GPU memory in bytes for kernels, which are loaded at their first launch, and for their counters.
inline constexpr Index code_device_bytes = Index{64} << 20;

/// Returns the bytes of GPU memory of a bound stage: its taps and the data of its transforms.
///
/// @param element  bytes of one point
Index stage_device_bytes(const BoundStage& stage, Index element);

/// Returns the peak bytes of GPU memory of a rank: the fields of its largest stage including ghost
/// points, a piece of the input in transfer, taps, and the message buffers of all stages. Every
/// allocation is rounded up to whole allocation blocks of the GPU. NCCL needs another few hundred
/// MiB, an amount that cannot be queried in advance.
Index device_bytes(const Problem& problem, int rank);

/// Throws if GPU memory is insufficient.
/// @param needed  bytes that all ranks on one GPU need together
/// @throws MachineError  `needed` is more than `free`
void require_free(Index needed, Index free, std::size_t ranks);

}  // namespace stencil

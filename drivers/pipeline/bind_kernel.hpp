#pragma once

#include <memory>
#include <optional>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/executor.hpp"
#include "kernels/bound_stencil.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"

namespace stencil {

/// Binds the stencil of a stage to an executor.
///
/// @param rung  kernel of the ladder (docs/strategies.md), on cuda; none: chosen for the stencil
/// @throws Error  no such kernel, no memory for taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_kernel(Executor& executor, const BoundStage& stage,
                                             std::optional<cuda::Strategy> rung);

}  // namespace stencil

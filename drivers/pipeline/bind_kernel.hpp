#pragma once

#include <memory>

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/executor.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Binds the stencil of a stage to an executor.
///
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_kernel(Executor& executor, const BoundStage& stage);

}  // namespace stencil

#pragma once

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// Returns the number of steps per sweep with the least cost for the stage's smallest block.
/// Returns 1 for stages that renormalize over missing points or mix channels, and for FFTs; on a
/// GPU also for large masks, and if kernels cannot be generated (generated::can_generate(), the
/// same on all ranks). stage.input and stage.output must be set.
Index choose_steps_per_sweep(const BoundStage& stage, Precision precision, bool is_on_gpu);

}  // namespace stencil

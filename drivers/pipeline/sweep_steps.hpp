#pragma once

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// Number of steps per sweep with the least cost for the stage's smallest block; 1 for stages that
/// renormalize over missing points or mix channels, for an fft, and on a GPU for large masks and
/// where kernels cannot be generated (generated::can_generate, the same on all ranks).
/// stage.input and output must be set.
Index choose_steps_per_sweep(const BoundStage& stage, Precision precision, bool is_on_gpu);

}  // namespace stencil

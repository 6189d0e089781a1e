#pragma once

#include "drivers/plan.hpp"

namespace stencil {

/// The stage on inputs of `shape`: mask turned to its axis, method, sampling, boundary; all but its
/// decompositions and halo.
StagePlan bind_stage(const StageConfig& stage, const StageMask& mask, const NormalForm& form,
                     const Point& shape, const Config& config, ElementType compute_type);

/// Ghosts that the mask reaches on either side of a point; by fft with the rest of its pair of
/// blocks.
Halo nominal_halo(const StagePlan& stage);

/// Ghosts that the block which needs most needs, along each axis; stage.input and output are set.
Halo needed_halo(const StagePlan& stage);

}  // namespace stencil

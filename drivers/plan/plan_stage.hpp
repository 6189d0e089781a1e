#pragma once

#include "drivers/plan/plan.hpp"
#include "io/hdf5/element_type.hpp"
#include "kernels/level_spans.hpp"

namespace stencil {

/// The stage on inputs of `shape`: mask turned to its axis, method, sampling, boundary; all but its
/// decompositions and halo.
StagePlan bind_stage(const StageConfig& stage, const StageMask& mask, const NormalForm& form,
                     const Point& shape, const Config& config, ElementType compute_type);

/// Ghosts that the mask reaches on either side of a point; by fft with the rest of its pair of
/// blocks.
Halo nominal_halo(const StagePlan& stage);

/// Ghosts that the block which needs most needs for one sweep, along each axis; stage.input, output
/// and steps_per_sweep are set.
Halo needed_halo(const StagePlan& stage);

/// Steps of the stage that one sweep takes, of least cost for its smallest block; 1 where a step
/// rescales by missing points or mixes channels, for transforms and rungs of the ladder, and on a
/// GPU for most masks. stage.input and output are set.
Index choose_steps_per_sweep(const StagePlan& stage, ElementType compute_type,
                             const Config::Run& run);

/// One axis of a stage that keeps its shape, as several steps see it from the block `owned`.
StepAxis step_axis(const StagePlan& stage, int axis, const Interval& owned);

}  // namespace stencil

#pragma once

#include "drivers/config/config.hpp"
#include "drivers/pipeline/bound_stage.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Binds a configured stage to inputs of a shape.
///
/// @param shape  the shape of the inputs in normal form
/// @param crop   outputs that are computed along each normal axis
/// @param filters_before   see Stage
/// @param steps_elsewhere  see Stage
/// @param are_inputs_complex  only for complex masks: whether pairs along the batch axis are the
///                            parts of complex numbers
/// @throws WordsError  with the stage's name: the configured stage is not possible on this shape
BoundStage bind_stage(const StageConfig& stage, const StageMask& mask, const NormalForm& form,
                      const Point& shape, const Config& config, Precision precision,
                      Backend backend, const std::array<Crop, axes>& crop = {},
                      Index filters_before = 1, Index steps_elsewhere = 0,
                      bool are_inputs_complex = false);

}  // namespace stencil

#pragma once

#include <optional>
#include <vector>

#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Returns whether a stage differentiates. Named filters keep the unit, even those that remove the
/// mean. Masks given as taps or in a file differentiate if their taps sum to 0. A mask of channels
/// differentiates if the taps of any output channel sum to 0, and a bank differentiates if the taps
/// of any of its filters sum to 0, because one attribute describes all channels or filters.
bool differentiates(const StageConfig& words, const BoundStage& stage);

/// Returns the derivative that the output represents; std::nullopt unless exactly one stage
/// differentiates, its mask is of a family and divides by a power of `delta`, and the output is a
/// derivative along one axis, or a sum of second derivatives in the unit of the coordinates.
/// @param masks  of the stages of `config`
std::optional<OutputDerivative> derivative_of(const Config& config,
                                              const std::vector<StageMask>& masks,
                                              const Problem& problem);

}  // namespace stencil

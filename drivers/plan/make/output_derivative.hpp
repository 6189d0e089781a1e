#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Returns whether a stage differentiates. Named filters keep the unit, even those that remove the
/// mean. Masks given as taps or in a file differentiate if their taps sum to 0. A mask of channels
/// differentiates if it does for any channel, because one attribute describes all channels;
/// likewise a bank, if any of its filters does.
bool differentiates(const StageConfig& words, const BoundStage& stage);

/// Returns the derivative that the output represents, if it is a derivative along one axis with
/// known units: there is a single stage `gaussian` (step: one point) or `savgol` (step: `delta`).
std::optional<OutputDerivative> derivative_of(const Config& config, const Problem& problem);

}  // namespace stencil

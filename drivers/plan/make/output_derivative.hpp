#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Returns whether a stage differentiates. Named filters keep the unit, even those that remove the
/// mean. Masks given as taps or in a file differentiate if their taps sum to 0. A mask of channels
/// differentiates if the taps of any output channel sum to 0, and a bank differentiates if any of
/// its filters does, because one attribute describes all channels or filters.
bool differentiates(const StageConfig& words, const BoundStage& stage);

/// Returns the derivative that the output represents, if it is a derivative along one axis with
/// known units: there is a single stage `gaussian` or `savgol`, whose step is `delta`.
std::optional<OutputDerivative> derivative_of(const Config& config, const Problem& problem);

}  // namespace stencil

#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Whether a stage differentiates. Named filters keep the unit, even those that remove the mean;
/// masks given as taps or from a file are judged by their taps. A mask of channels differentiates
/// if it does so for any channel, since one attribute describes all channels, and a bank if any of
/// its filters does.
bool differentiates(const StageConfig& words, const BoundStage& stage);

/// The derivative that the output represents, if it is a derivative along one axis with known
/// units: a single stage `gaussian` (per point) or `savgol` (per `delta`).
std::optional<OutputDerivative> derivative_of(const Config& config, const Problem& problem);

}  // namespace stencil

#pragma once

#include <optional>
#include <string>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// Returns the factor by which one step of a stage multiplies the most amplified wave: the largest
/// absolute value of the mask's symbol over all frequencies; for channels, the largest spectral
/// radius of the symbol's matrix. The maximum is taken over a grid of frequencies, so the result
/// may be slightly too small; apart from this it is exact for periodic worlds of any size. For
/// other worlds it applies to points far from the edges. Returns std::nullopt for masks that are
/// too large to examine: more than several thousand taps in a row, or 70x70 taps.
std::optional<double> amplification(const BoundStage& stage);

/// Returns a note if a stage of several steps amplifies waves, or if its mask is too large to
/// examine; otherwise an empty text.
std::string amplification_note(const BoundStage& stage);

}  // namespace stencil

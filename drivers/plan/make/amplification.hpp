#pragma once

#include <optional>
#include <string>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// By how much one step of a stage multiplies the waves that it amplifies most: the largest
/// absolute value of the mask's symbol over all frequencies, for channels the largest spectral
/// radius of its matrix. That is exact for a periodic world of any size, from below, up to the
/// distance of the frequencies that are tried, and tells of others what happens far from the edges.
/// Nothing for masks that are too large to try: of more than some thousand taps in a row, or 70x70.
std::optional<double> amplification(const BoundStage& stage);

/// A note on a stage of several steps that amplifies, or is too large to know; empty if it does
/// not.
std::string amplification_note(const BoundStage& stage);

}  // namespace stencil

#pragma once

#include <optional>
#include <string>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// By how much one step of a stage multiplies the waves that it amplifies most: the largest
/// absolute value of the mask's symbol over all frequencies, for channels the largest spectral
/// radius of its matrix. That is exact for a periodic world of any size, from below, up to the
/// distance of the frequencies that are tried, and tells of others what happens far from the edges.
/// Nothing for masks that are too large to try, and for transforms.
std::optional<double> amplification(const BoundStage& stage);

/// A note on a stage of several steps that amplifies; empty if it does not, or that is not known.
std::string amplification_note(const BoundStage& stage);

}  // namespace stencil

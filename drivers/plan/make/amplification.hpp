#pragma once

#include <optional>
#include <string>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// The factor by which one step of a stage multiplies the waves that it amplifies most: the largest
/// absolute value of the mask's symbol over all frequencies, for channels the largest spectral
/// radius of its matrix. For a periodic world of any size this is exact, except that only a grid of
/// frequencies is tried, so that it may be slightly too small. For other worlds it describes points
/// far from the edges. Nothing for masks that are too large to try: more than some thousand taps in
/// a row, or 70x70.
std::optional<double> amplification(const BoundStage& stage);

/// A note on a stage of several steps that amplifies, or that is too large to examine; empty
/// otherwise.
std::string amplification_note(const BoundStage& stage);

}  // namespace stencil

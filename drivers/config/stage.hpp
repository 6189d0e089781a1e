#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/config/section_reader.hpp"

namespace stencil {

/// Reads one stage and checks that its keys are consistent.
/// @throws WordsError  a key does not apply to the mask, a key that the mask needs is missing, or
///                     two values contradict each other.
StageConfig read_stage(const SectionReader& reader);

/// Returns the axes as the user has written them, separated by blanks.
std::string text_of(const std::vector<AxisWord>& words);

/// Returns the datasets from which the mask of a stage is read, as `file.h5:/dataset`
/// (mask_location()). These datasets contain the taps, or the data from which a mask family
/// computes its taps.
std::vector<std::string> datasets_of(const StageConfig& stage);

}  // namespace stencil

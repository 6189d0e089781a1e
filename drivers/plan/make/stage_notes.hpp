#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Returns notes on stages whose result may not be what the user intended: 1D masks along an axis
/// of a single point, even masks whose outputs are half a point away from the centre, filters that
/// pass frequencies which later strides alias, and a boundary value that is a missing value.
///
/// @param problem  bound, with its stages in the order of the configuration
/// @param masks    the masks of the configuration's stages
/// @param dims     the extents of the points that are filtered
std::vector<std::string> notes_on_stages(const Config& config, const Problem& problem,
                                         const std::vector<StageMask>& masks,
                                         const std::vector<Index>& dims);

}  // namespace stencil

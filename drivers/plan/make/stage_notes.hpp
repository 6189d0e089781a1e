#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Notes on stages whose configuration may not mean what the user intended: 1D masks along an axis
/// of a single point, outputs half a point away from the centre of an even mask, filters that pass
/// frequencies which the strides after them alias, and a boundary value that is a missing value.
///
/// @param problem   bound, with stages in the order of the configuration's
/// @param masks  the masks of the configuration's stages
/// @param dims   the extents of the points that are filtered
std::vector<std::string> notes_on_stages(const Config& config, const Problem& problem,
                                         const std::vector<StageMask>& masks,
                                         const std::vector<Index>& dims);

}  // namespace stencil

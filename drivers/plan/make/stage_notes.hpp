#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Notes on the stages of a plan whose words may mean something else than was meant: 1D masks along
/// an axis of a single point, outputs half a point away from the centre of an even mask, filters
/// that let frequencies pass which the strides behind them fold down, and a boundary value that is
/// a missing value.
///
/// @param problem   bound, with stages in the order of the configuration's
/// @param masks  of the configuration's stages
/// @param dims   of the points that are filtered
std::vector<std::string> notes_on_stages(const Config& config, const Problem& problem,
                                         const std::vector<StageMask>& masks,
                                         const std::vector<Index>& dims);

}  // namespace stencil

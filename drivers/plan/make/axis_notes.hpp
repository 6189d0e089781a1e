#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// The reason why a mask should not run along an axis that the user has not named: neighbouring
/// points on this axis probably belong to different things. A clause, `which has 3 points, as
/// colours or components have`; empty: no reason is known.
std::string reason_against(const DatasetFacts& facts, int axis);

/// The last axes of several points for which there is no such reason, in ascending order: the
/// wanted number of axes, or fewer if there are not enough.
std::vector<int> axes_with_neighbours(const DatasetFacts& facts, std::size_t wanted);

/// Notes on masks that run, because the configuration names no axes, along an axis whose neighbours
/// probably belong to different things: colours, channels, stations, members.
///
/// @param config  as the user wrote it
/// @param masks   the masks of its stages
std::vector<std::string> notes_on_axes(const Config& config, const std::vector<StageMask>& masks,
                                       const DatasetFacts& facts);

}  // namespace stencil

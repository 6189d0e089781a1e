#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Returns a reason why a mask should not run along an axis that the user has not named:
/// neighbouring points along the axis are probably of different kinds. The reason is a clause such
/// as `which has 3 points, as colours or components have`; empty if there is no such reason.
std::string reason_against(const DatasetFacts& facts, int axis);

/// Returns, in ascending order, the last `wanted` axes that have several points and for which
/// reason_against() is empty; fewer axes if there are not enough.
std::vector<int> axes_with_neighbours(const DatasetFacts& facts, std::size_t wanted);

/// Returns notes on masks that run, because the configuration names no axes, along an axis whose
/// neighbouring points are probably of different kinds: colours, channels, stations, members.
///
/// @param config  the configuration as the user wrote it
/// @param masks   the masks of the stages
std::vector<std::string> notes_on_axes(const Config& config, const std::vector<StageMask>& masks,
                                       const DatasetFacts& facts);

}  // namespace stencil

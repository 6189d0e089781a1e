#pragma once

#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Notes on masks that run, because the configuration names no axes, along an axis whose neighbours
/// probably belong to different things: colours, channels, stations, members.
///
/// @param config  as the user wrote it
/// @param masks   of its stages
std::vector<std::string> notes_on_axes(const Config& config, const std::vector<StageMask>& masks,
                                       const DatasetFacts& facts);

}  // namespace stencil

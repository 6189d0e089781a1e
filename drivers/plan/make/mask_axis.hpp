#pragma once

#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Returns the axis for which the file has times or a sampling rate, if there is exactly one such
/// axis; otherwise the last axis.
MaskAxis mask_axis_of(const DatasetFacts& facts);

/// For each 1D mask for which the configuration gives no axis, writes the axis into the stage and
/// into the canonical text, which would otherwise not contain the axis. For one-dimensional
/// datasets there is no choice, and the text is not changed.
/// @param masks  the masks of all stages
/// @returns whether an axis was written into any stage
bool write_mask_axes(const std::vector<StageMask>& masks, std::size_t rank, Config& config);

/// Returns the two axes of the two-dimensional masks in ascending order; empty if there is no such
/// mask.
/// @throws WordsError  two stages have different pairs of axes
std::vector<int> plane_of(const Config& config, const std::vector<StageMask>& masks);

}  // namespace stencil

#pragma once

#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// The axis that the file gives times or a sampling rate for, if it is the only one; else the last.
MaskAxis mask_axis_of(const DatasetFacts& facts);

/// Writes the axis of each 1D mask that has none into its stage, and into the canonical text, which
/// would otherwise not state the axis of the masks. For datasets of one axis there is no choice,
/// and the text is not changed.
/// @param masks  the masks of all stages
/// @returns whether any stage had none
bool write_mask_axes(const std::vector<StageMask>& masks, std::size_t rank, Config& config);

/// The two axes that masks of two axes run along, ascending; empty if there is no such mask.
/// @throws WordsError  two stages run along different pairs of axes
std::vector<int> plane_of(const Config& config, const std::vector<StageMask>& masks);

}  // namespace stencil

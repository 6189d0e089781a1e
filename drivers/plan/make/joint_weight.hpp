#pragma once

#include <optional>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Implements missing.joint: combines two one-dimensional stages into one stage whose mask is the
/// outer product of the two masks. With policy = renormalize, the weights of all valid points under
/// the two-dimensional mask are then rescaled together. A configuration with a single stage is not
/// changed.
///
/// @param masks         the masks of the stages
/// @param designed_for  see Problem
/// @param form          the form of the input
/// @throws WordsError   the number of stages is not two, or the two stages cannot be combined into
///                      a two-dimensional mask
void join_weights(Config& config, std::vector<StageMask>& masks,
                  std::vector<std::optional<DesignRate>>& designed_for, const NormalForm& form);

}  // namespace stencil

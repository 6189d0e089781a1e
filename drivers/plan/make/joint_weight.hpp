#pragma once

#include <optional>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Combines two stages of one axis each into one stage whose mask is the outer product of both, for
/// missing.joint: renormalized, it weighs the valid points under the whole mask at once. A single
/// stage is not changed.
///
/// @param masks         the masks of the stages
/// @param designed_for  of the stages, as in Plan
/// @param form          the form of the input
/// @throws WordsError   the number of stages is not two, or two stages cannot be combined into a
///                      mask of rank 2
void join_weights(Config& config, std::vector<StageMask>& masks,
                  std::vector<std::optional<DesignRate>>& designed_for, const NormalForm& form);

}  // namespace stencil

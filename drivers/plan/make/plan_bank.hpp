#pragma once

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Checks that a chain can make the leading axis of outputs that a bank of filters requires; does
/// nothing if there is no bank.
///
/// @param form  the form of the input
/// @throws WordsError  two banks, a mask that mixes channels, repeated steps, snapshots,
///                     masks along
///                     axes that do not fold into two
void check_bank(const Config& config, const std::vector<StageMask>& masks, const NormalForm& form);

}  // namespace stencil

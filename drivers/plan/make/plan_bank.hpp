#pragma once

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Checks that a chain with a bank of filters is possible: the bank adds a first axis to the
/// output. Does nothing without a bank.
///
/// @param form  the form of the input
/// @throws WordsError  there are two banks, a mask that mixes channels, repeated steps, snapshots,
///                     or masks along axes other than two neighbouring axes
void check_bank(const Config& config, const std::vector<StageMask>& masks, const NormalForm& form);

}  // namespace stencil

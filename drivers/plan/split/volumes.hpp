#pragma once

#include "drivers/plan/plan.hpp"

namespace stencil {

/// Returns the plan of one of the volumes that a plan computes one after the other, see
/// NormalForm::volumes().
Plan volume_of(const Plan& plan, Index number);

}  // namespace stencil

#pragma once

#include "drivers/plan/plan.hpp"

namespace stencil {

/// The plan of one of the volumes that a plan computes one after the other, see
/// NormalForm::volumes().
Plan volume_of(const Plan& plan, Index number);

}  // namespace stencil

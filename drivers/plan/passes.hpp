#pragma once

#include <vector>

#include "drivers/plan/plan.hpp"
#include "drivers/plan/windows.hpp"

namespace stencil {

/// The plan of the sweeps [first, last) of all stages, without windows. Where it does not begin
/// with the first sweep, or end with the last, it reads or writes a scratch file in the type
/// computed in, whose facts and name the run sets.
Plan pass_of(const Plan& plan, Index first, Index last);

/// Plans of the passes over the files in which a chain of more sweeps than one pass can take goes
/// through memory in windows, see pass_of(). Each plan has windows. As many sweeps in a pass as
/// cost least: more of them read and compute more points twice. Empty where there are no such
/// windows.
std::vector<Plan> choose_passes(const Plan& plan, const WindowLimits& limits);

/// The least memory with which the plan can be computed: at once, in windows, or in passes of one
/// sweep each.
Index least_memory(const Plan& plan);

}  // namespace stencil

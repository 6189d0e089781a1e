#pragma once

#include "drivers/plan/split/windows.hpp"
#include "drivers/plan/way.hpp"

namespace stencil {

/// The pass of the sweeps [first, last) of all stages, whose windows are not chosen yet. Unless it
/// begins with the first sweep, it reads a scratch file; unless it ends with the last sweep, it
/// writes one. Scratch files have the compute type; their facts and names are known only during the
/// run.
Pass pass_of(const Problem& problem, Index first, Index last);

/// The same problem, with points from another file of the same shape and type.
Problem reading(Problem problem, DatasetFacts input);

/// The passes through the files of a chain with more sweeps than one pass in windows can take. The
/// number of sweeps per pass is the one with the lowest cost: more sweeps read and compute more
/// points twice. Empty if no windows are possible.
Passes choose_passes(const Problem& problem, const WindowLimits& limits);

/// The least memory with which the problem can be computed: at once, in windows, or in passes of
/// one sweep each.
Index least_memory(const Problem& problem);

}  // namespace stencil

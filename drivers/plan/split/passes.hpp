#pragma once

#include "drivers/plan/split/windows.hpp"
#include "drivers/plan/way.hpp"

namespace stencil {

/// Returns the pass with the sweeps [first, last) of all stages, without windows. Unless the pass
/// begins with the first sweep, it reads a scratch file; unless it ends with the last sweep, it
/// writes one. Scratch files have the compute type; their facts and names are set during the run.
Pass pass_of(const Problem& problem, Index first, Index last);

/// Returns the problem with another input file of the same shape and type.
Problem reading(Problem problem, DatasetFacts input);

/// Returns the passes of a chain with more sweeps than one pass in windows can compute. The number
/// of sweeps per pass is the one with the lowest cost: with more sweeps per pass, more points are
/// read and computed twice. Empty if no windows are possible.
Passes choose_passes(const Problem& problem, const WindowLimits& limits);

/// Returns the least memory with which the problem can be computed: at once, in windows, or in
/// passes of one sweep each.
Index least_memory(const Problem& problem);

}  // namespace stencil

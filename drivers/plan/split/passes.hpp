#pragma once

#include "drivers/plan/split/windows.hpp"
#include "drivers/plan/way.hpp"

namespace stencil {

/// Returns the pass that computes the sweeps [first, last), counted over all stages, without
/// setting its windows. A pass that does not begin with the first sweep reads a scratch file; a
/// pass that does not end with the last sweep writes one. Scratch files have the compute type;
/// their facts and names are set during the run.
Pass pass_of(const Problem& problem, Index first, Index last);

/// Returns the problem with another input file of the same shape and type.
Problem reading(Problem problem, DatasetFacts input);

/// Returns the passes of a chain with more sweeps than one pass in windows can compute; empty if no
/// windows are possible. The number of sweeps per pass is chosen for the lowest cost: more sweeps
/// per pass mean fewer passes, but more points that are read and computed twice.
Passes choose_passes(const Problem& problem, const WindowLimits& limits);

/// Returns the least memory with which the problem can be computed: at once, in windows, or in
/// passes of one sweep each.
Index least_memory(const Problem& problem);

}  // namespace stencil

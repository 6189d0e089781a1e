#pragma once

#include "drivers/plan/split/windows.hpp"
#include "drivers/plan/way.hpp"

namespace stencil {

/// The pass of the sweeps [first, last) of all stages, whose windows are not chosen yet. Where it
/// does not begin with the first sweep, or end with the last, it reads or writes a scratch file in
/// the type computed in, whose facts and name are known only during the run.
Pass pass_of(const Problem& problem, Index first, Index last);

/// The same problem, with points from another file of the same shape and type.
Problem reading(Problem problem, DatasetFacts input);

/// The passes over the files in which a chain of more sweeps than one pass can take goes through
/// memory in windows. As many sweeps in a pass as cost least: more of them read and compute more
/// points twice. Empty where there are no such windows.
Passes choose_passes(const Problem& problem, const WindowLimits& limits);

/// The least memory with which the problem can be computed: at once, in windows, or in passes of
/// one sweep each.
Index least_memory(const Problem& problem);

}  // namespace stencil

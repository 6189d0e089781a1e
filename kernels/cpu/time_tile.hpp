#pragma once

#include "framework/grid/box.hpp"
#include "kernels/cpu/time_sweep.hpp"

namespace stencil::cpu {

/// Advances one piece of the outputs through all steps.
///
/// Level 0 is the source, and the last level is the target. Each level between the source and the
/// target keeps a few rows. Before a group of rows of one level is computed, those rows of the
/// level below that the group reads are computed, unless they already exist. Thus no level is
/// computed in advance, and every row is still in the cache when it is read. In each level, ghost
/// points beyond the edges of the world are filled from the rows of that level.
///
/// @param memory  sweep.memory(width of the widest piece) elements, aligned to 64 bytes
template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory);

}  // namespace stencil::cpu

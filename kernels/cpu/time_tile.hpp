#pragma once

#include "framework/grid/box.hpp"
#include "kernels/cpu/time_sweep.hpp"

namespace stencil::cpu {

/// Advances one piece of the outputs through all steps.
///
/// Level 0 is the source, the last level the target; each level between keeps a few rows.
/// Before a group of rows of one level is computed, the level below computes the rows that the
/// group reads and that are missing. So no level runs ahead, and every row is still in the cache
/// when it is read. Ghosts beyond the edge of the world are filled in each level from that level's
/// own rows.
///
/// @param memory  sweep.memory(widest piece) elements, aligned to 64 bytes
template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory);

}  // namespace stencil::cpu

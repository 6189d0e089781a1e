#pragma once

#include "framework/grid/box.hpp"
#include "kernels/cpu/time_sweep.hpp"

namespace stencil::cpu {

/// Passes one piece of the outputs through all steps.
///
/// Level 0 is the source, the last level the target; each level between keeps a few rows.
/// A group of rows of one level asks the level below for the rows it reads, and that one computes
/// what is missing, so no level runs ahead and every row is still in the cache when it is read.
/// Ghosts beyond the edge of the world follow in each level from that level's own rows.
///
/// @param memory  sweep.memory(widest piece) elements, aligned to 64 bytes
template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory);

}  // namespace stencil::cpu

#pragma once

#include "drivers/plan/way.hpp"
#include "io/read/reading_memory.hpp"

namespace stencil {

/// Host memory in bytes that a rank needs to compute a plan in these windows: on the CPU every
/// field of every sweep, on a GPU the points in transfer; in addition reading and writing.
Index window_bytes(const Problem& problem, const Windows& windows);

/// Memory in bytes that a rank needs on its GPU for these windows; 0 on the CPU. Every allocation
/// is rounded up to whole allocation blocks of the GPU.
Index window_device_bytes(const Problem& problem, const Windows& windows);

/// Upper bound on the inputs of the whole chain that a window of `outputs` reads along the axis.
Index most_read(const Problem& problem, int axis, Index outputs);

/// Upper bound on the points of a window that travel to a GPU or back at a time: those that it
/// reads or those that it makes.
Index most_points_in_transfer(const Problem& problem, const Windows& windows);

/// How windows read the input at the same time.
ReadsAtATime reads_of(const Problem& problem, const Windows& windows);

}  // namespace stencil

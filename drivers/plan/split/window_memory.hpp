#pragma once

#include "drivers/plan/way.hpp"
#include "io/read/reading_memory.hpp"

namespace stencil {

/// Returns the bytes of host memory that a rank needs to compute a problem in these windows: on the
/// CPU for all fields of all sweeps, on a GPU for the points in transfer, and for reading and
/// writing.
Index window_bytes(const Problem& problem, const Windows& windows);

/// Returns the bytes of GPU memory that a rank needs for these windows; 0 on the CPU. Every
/// allocation is rounded up to whole allocation blocks of the GPU.
Index window_device_bytes(const Problem& problem, const Windows& windows);

/// Returns an upper bound on the inputs that a window of `outputs` outputs reads along the axis.
Index most_read(const Problem& problem, int axis, Index outputs);

/// Returns an upper bound on the points of a window that are transferred to or from a GPU at a
/// time: its inputs or its outputs.
Index most_points_in_transfer(const Problem& problem, const Windows& windows);

/// Returns how the windows read the input at the same time.
ReadsAtATime reads_of(const Problem& problem, const Windows& windows);

}  // namespace stencil

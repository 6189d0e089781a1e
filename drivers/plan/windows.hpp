#pragma once

#include <optional>

#include "drivers/plan/plan.hpp"

namespace stencil {

/// Memory of the host that a rank needs to compute a plan in windows of so many outputs along an
/// axis, in bytes: every field of every sweep, reading and writing.
Index window_bytes(const Plan& plan, int axis, Index outputs);

/// The windows in which a plan fits into memory; nothing where it fits as it is, or where windows
/// are not possible: on GPUs, for masks of channels, for more than 64 sweeps in all, or more than
/// four with a periodic boundary along the axis that is cut.
///
/// @param available  bytes of the host's memory for each rank
/// @param is_asked   the user gave that number: all of it is taken, else a quarter where that will
///                   do, so that the files stay in the page cache
std::optional<Windows> choose_windows(const Plan& plan, Index available, bool is_asked);

/// The least memory that the plan can be computed with, in windows where that takes less.
Index least_memory(const Plan& plan);

}  // namespace stencil

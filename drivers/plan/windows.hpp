#pragma once

#include <optional>

#include "drivers/plan/plan.hpp"

namespace stencil {

/// Host memory in bytes that a rank needs to compute a plan in windows of `outputs` outputs along
/// an axis: every field of every sweep, reading and writing.
Index window_bytes(const Plan& plan, int axis, Index outputs);

/// The windows in which a plan fits into memory; nothing if it fits without windows, or if windows
/// are not possible: on GPUs, for masks of channels, for more than 64 sweeps in all, or more than
/// four with a periodic boundary along the axis that is cut.
///
/// @param available  bytes of host memory per rank
/// @param is_asked   whether the user gave that number: then all of it may be used; otherwise only
///                   a quarter if that suffices, so that the files stay in the page cache
std::optional<Windows> choose_windows(const Plan& plan, Index available, bool is_asked);

/// The least memory with which the plan can be computed, in windows if they need less.
Index least_memory(const Plan& plan);

}  // namespace stencil

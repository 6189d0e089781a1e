#pragma once

#include <functional>
#include <string>

namespace stencil {

/// Returns the number of seconds without progress of a device after which the host stops waiting
/// for the device: the environment variable STENCIL_STALL_SECONDS, or 300 if it is not set.
/// @throws WordsError  the variable is not a number above 0
double stall_seconds();

/// Handler that is called with one line of explanation when a wait has lasted too long, or when the
/// argument `look` of wait_until() has thrown an exception. The handler must not return. Without a
/// handler the wait throws an exception, which is sufficient for a single process. A rank for which
/// other ranks wait needs a handler that ends the whole job.
using StallHandler = std::function<void(const std::string& message)>;
void on_stall(StallHandler handler);

/// Polls `is_done` until it returns true: without pauses for the first milliseconds, then a few
/// thousand times per second.
///
/// @param look  called about every 20 ms while waiting; may be empty; an exception from it ends the
///              wait
/// @throws MachineError  stall_seconds() have passed and no handler is set
void wait_until(const std::function<bool()>& is_done, const std::function<void()>& look);

}  // namespace stencil

#pragma once

#include <functional>
#include <string>

namespace stencil {

/// Seconds that a device may get no further before the host gives up waiting for it: the
/// environment variable STENCIL_STALL_SECONDS, else 300.
/// @throws WordsError  it is no number above 0
double stall_seconds();

/// What ends a wait that has lasted too long, or in which `look` has thrown, with one line on what
/// happened; it must not return. Without one the wait throws, which is right for a process on its
/// own: ranks that others wait for have to end the whole job.
using StallHandler = std::function<void(const std::string& message)>;
void on_stall(StallHandler handler);

/// Asks `is_done` until it says so, at first all the time, later some thousand times a second.
///
/// @param look  called now and then while waiting; may be empty; what it throws ends the wait
/// @throws MachineError  stall_seconds() have passed, and there is no handler
void wait_until(const std::function<bool()>& is_done, const std::function<void()>& look);

}  // namespace stencil

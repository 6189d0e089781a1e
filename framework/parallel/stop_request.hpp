#pragma once

#include <chrono>

#include "framework/grid/error.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

/// While an object of this class exists, the first signal that would end this process (see
/// end_on_signal()) sets a token instead, so that the work can save its state and stop. A further
/// signal, at least one second later, ends the process as if this object did not exist. Only one
/// object may exist at a time.
class StopRequest {
 public:
  /// @param token  must outlive this object
  explicit StopRequest(StopToken& token);
  /// Ends the process if the token holds a signal that was not taken.
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
};

/// After this call the work is considered finished: the first signal that would end this process is
/// ignored. A further signal, at least one second later, ends the process as usual, with status 128
/// + signal.
void finish_despite_signals();

/// Call this function when more work follows: signals end this process again, and a signal that was
/// ignored ends the process now.
void end_on_signals_again();

/// Records that the output file has received its final name. Until end_on_signals_again(), the
/// message that a signal causes says that the output is complete.
void tell_output_is_complete();
bool is_output_complete();

/// While an object of this class exists, this process writes an additional file next to its output,
/// on storage that may not respond. If a signal arrives that only sets a token or is ignored, the
/// process ends when the writing has lasted for five more seconds, or sooner if mpirun sent the
/// signal. Only one object may exist at a time.
class SideWork {
 public:
  SideWork();
  ~SideWork();
  SideWork(const SideWork&) = delete;
  SideWork& operator=(const SideWork&) = delete;
};

/// Returns whether a SideWork exists and has lasted longer than `patience` since the signal
/// arrived. `signalled` is the time of the signal; a SideWork that began later is measured from its
/// beginning.
bool hangs_in_side_work(std::chrono::steady_clock::time_point signalled,
                        std::chrono::milliseconds patience);

/// Called by the thread that waits for signals. @returns whether the signal is kept for the token
/// or ignored, so that the process continues
bool keep_signal(int signal);

/// Returns whether the program will end without a further signal.
bool stops_by_itself();

/// After this call a signal ends this process with the given status instead of 128 + signal,
/// because a saved state exists from which the same run can continue. Status::done restores 128 +
/// signal.
void set_status_of_signals(Status status);

/// Returns the exit status of a process that a signal ends.
int status_of(int signal);

/// Name of a signal, such as `SIGTERM`.
const char* name_of_signal(int signal);

}  // namespace stencil

#pragma once

#include <chrono>

#include "framework/grid/error.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

/// While it lives, the first signal that would end this process (see end_on_signal()) asks by a
/// token instead: the work saves what it has done and stops by itself. A further signal, a second
/// later or more, ends the process as without this object. Only one may exist at a time.
class StopRequest {
 public:
  /// @param token  must outlive this object
  explicit StopRequest(StopToken& token);
  /// A signal that nobody has taken from the token ends the process now.
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
};

/// From now on the work is as good as done: the first signal that would end this process is passed
/// over. A further one, a second later or more, ends it as ever, with 128 + signal.
void finish_despite_signals();

/// After that, where more work follows: signals end this process again, and one that was passed
/// over does so now.
void end_on_signals_again();

/// Says that the output has its name: what is written on a signal from now on says so, too. Until
/// end_on_signals_again().
void tell_output_is_complete();
bool is_output_complete();

/// While it lives, this process writes a file beside its output, on storage that may have stopped
/// answering: a signal that is kept or passed over ends the process after five seconds of this, or
/// sooner if mpirun sent it. One at a time.
class SideWork {
 public:
  SideWork();
  ~SideWork();
  SideWork(const SideWork&) = delete;
  SideWork& operator=(const SideWork&) = delete;
};

/// Whether the process has done nothing but SideWork for so long since a signal came.
bool hangs_in_side_work(std::chrono::steady_clock::time_point signalled,
                        std::chrono::milliseconds patience);

/// Called by the thread that waits for signals. @returns whether the signal is kept, or passed over
bool keep_signal(int signal);

/// Whether the program now ends by itself, after a signal too.
bool stops_by_itself();

/// From now on a signal ends this process with that status instead of 128 + signal: what was saved
/// before is there, so that the same run goes on. Status::done: with 128 + signal again.
void set_status_of_signals(Status status);

/// The exit status of a process that a signal ends.
int status_of(int signal);

/// `SIGTERM`
const char* name_of_signal(int signal);

}  // namespace stencil

#pragma once

#include <chrono>

#include "framework/grid/error.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

/// While an object of this class exists, the first signal that would end this process (see
/// end_on_signal()) sets a token instead: the work saves its state and stops by itself. A further
/// signal, a second later or more, ends the process as without this object. Only one may exist at a
/// time.
class StopRequest {
 public:
  /// @param token  must outlive this object
  explicit StopRequest(StopToken& token);
  /// A signal that nobody has taken from the token ends the process now.
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
};

/// After this call the work is considered finished: the first signal that would end this process is
/// ignored. A further one, a second later or more, ends it as usual, with 128 + signal.
void finish_despite_signals();

/// To be called when more work follows: signals end this process again, and a signal that was
/// ignored ends it now.
void end_on_signals_again();

/// Records that the output file has received its final name. Until end_on_signals_again(), the
/// message that a signal causes says that the output is complete.
void tell_output_is_complete();
bool is_output_complete();

/// While an object of this class exists, this process writes a file beside its output, on storage
/// that may not respond. A signal that is kept or ignored ends the process after five seconds, or
/// sooner if mpirun sent it. Only one may exist at a time.
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

/// Called by the thread that waits for signals. @returns whether the signal is kept or ignored
bool keep_signal(int signal);

/// Whether the program now ends by itself, after a signal too.
bool stops_by_itself();

/// After this call a signal ends this process with the given status instead of 128 + signal, since
/// a state was saved from which the same run continues. Status::done restores 128 + signal.
void set_status_of_signals(Status status);

/// The exit status of a process that a signal ends.
int status_of(int signal);

/// `SIGTERM`
const char* name_of_signal(int signal);

}  // namespace stencil

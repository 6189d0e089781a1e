#pragma once

namespace stencil {

/// After this call SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1 and SIGUSR2 end the program
/// cleanly: unfinished files are removed (AbortCleanup), one line is printed for the job, and the
/// exit status is 128 + signal. A second signal, at least one second later, ends the program at
/// once. A signal that was ignored at the start, as under nohup, remains ignored. SIGPIPE is
/// ignored: writing to a pipe without a reader becomes an error of the call. A program may handle
/// the first signal differently, see StopRequest.
///
/// Call this function before other threads are started, so that those threads inherit the blocked
/// signals.
///
/// @param is_first  whether this process will be rank 0
void end_on_signal(bool is_first);

/// Lets signals end this process again as if end_on_signal() had not been called. A forked child
/// calls this function, because it has no thread that waits for signals.
void let_signals_through();

}  // namespace stencil

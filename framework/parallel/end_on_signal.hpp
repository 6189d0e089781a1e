#pragma once

namespace stencil {

/// From now on SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1 and SIGUSR2 end the program in
/// order: what is unfinished is cleared up (AbortCleanup), one line of the job tells it, the exit
/// status is 128 + signal. A second signal, a second later or more, ends it at once. A signal that
/// is ignored, as under nohup, stays so. SIGPIPE is ignored: writing to a pipe that nobody reads is
/// an error of the call. A program may keep the first one instead: StopRequest.
///
/// To be called before there are other threads, because they have to inherit the blocked signals.
///
/// @param is_first  whether this process will be rank 0
void end_on_signal(bool is_first);

/// Lets signals end this process again as if end_on_signal() had not been called: for a forked
/// child, in which the thread that waits for them is missing.
void let_signals_through();

}  // namespace stencil

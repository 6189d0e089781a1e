#pragma once

#include <functional>
#include <list>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil {

/// Ends the whole job at once from this rank, with one line on stderr and the given status. For
/// failures that other ranks cannot be informed of, because they wait inside a collective call.
/// Runs the cleanups first (AbortCleanup). If several ranks fail together, one of them prints its
/// line. May be called from any thread.
[[noreturn]] void abort_job(Status status, const std::string& message);

/// After this call lines of status 1 ask the user to report a bug. For programs only: an exception
/// of a program that uses the library is not a bug of the library.
void ask_for_reports();

/// The line of an error. With status 1 it includes the request of ask_for_reports(), unless the
/// message contains one.
std::string line_of(Status status, const std::string& message);

/// Ends this process in order after a signal: runs the cleanups, prints one line if this rank is
/// the one to print, and exits with status_of(signal). The launcher, which sends the signal to
/// every rank or ends the others when one has ended, does the rest. To be called from a thread that
/// waits for signals.
///
/// @param is_first         whether this is rank 0, which prints the line if no rank has a cleanup
///                         and the launcher alone sent the signal
/// @param is_of_launcher   the launcher sent it: perhaps because a rank of another node has failed,
///                         and has said why
[[noreturn]] void end_by_signal(int signal, bool is_first, bool is_of_launcher);

/// While an object of this class exists, a job that ends early runs its cleanup, for example the
/// removal of an unfinished output. There may be several; the newest runs first.
class AbortCleanup {
 public:
  /// @param clear  cleans up on behalf of the whole job and returns whether this rank did it: only
  ///               that rank prints. May run in any thread while other threads continue. Must not
  ///               throw, communicate or wait.
  explicit AbortCleanup(std::function<bool()> clear);
  /// Waits, until the process has ended, if the job is being ended: what is cleared up stays there.
  ~AbortCleanup();
  AbortCleanup(const AbortCleanup&) = delete;
  AbortCleanup& operator=(const AbortCleanup&) = delete;

 private:
  std::list<std::function<bool()>>::iterator entry_;
};

}  // namespace stencil

#pragma once

#include <functional>
#include <list>
#include <string>

#include "framework/grid/error.hpp"

namespace stencil {

/// Ends the whole job at once from this rank, with one line on stderr and the given status. Use it
/// for failures that cannot be reported to other ranks because they wait inside a collective call.
/// Runs the cleanups first (AbortCleanup). If several ranks fail together, only one of them prints
/// its line. May be called from any thread.
[[noreturn]] void abort_job(Status status, const std::string& message);

/// After this call, error lines with exit status 1 ask the user to report a bug. Only the programs
/// of this project call the function, because an exception in a user's own program is not a bug of
/// the library.
void ask_for_reports();

/// Returns the line that is printed for an error. With status 1 it ends with the request of
/// ask_for_reports(), unless the message already contains such a request.
std::string line_of(Status status, const std::string& message);

/// Ends this process cleanly after a signal: runs the cleanups, prints one line if this rank is the
/// one to print, and exits with status_of(signal). The launcher ends the other ranks: it sends the
/// signal to every rank, or ends all ranks when one has ended. Call it from a thread that waits for
/// signals.
///
/// @param is_first         whether this is rank 0, which prints the line if no rank has a cleanup
///                         and the launcher alone sent the signal
/// @param is_of_launcher   whether the launcher sent the signal: possibly because a rank on another
///                         node has failed and printed the reason
[[noreturn]] void end_by_signal(int signal, bool is_first, bool is_of_launcher);

/// While an object of this class exists, a job that ends early runs its cleanup, for example the
/// removal of an unfinished output. Several objects may exist; the cleanup of the newest object
/// runs first.
class AbortCleanup {
 public:
  /// @param clear  cleans up on behalf of the whole job and returns whether this rank did the work:
  ///               only the rank that did it prints the line. Can run in any thread while other
  ///               threads continue. Must not throw, communicate or wait.
  explicit AbortCleanup(std::function<bool()> clear);
  /// If the job is being ended, waits until the process has ended, so that the cleanup is not
  /// undone.
  ~AbortCleanup();
  AbortCleanup(const AbortCleanup&) = delete;
  AbortCleanup& operator=(const AbortCleanup&) = delete;

 private:
  std::list<std::function<bool()>>::iterator entry_;
};

}  // namespace stencil

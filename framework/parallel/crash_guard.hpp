#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace stencil {

/// While an object of this class exists, a crash of this process (SIGSEGV, SIGBUS, SIGFPE, SIGILL
/// or SIGABRT, in any thread) ends the job cleanly: AbortCleanup cleans up, one line is printed,
/// and the exit status is Status::storage. Use it around calls into a library that a malformed file
/// may crash, and keep its lifetime short, because it hides where a crash happened. A second guard
/// that exists at the same time, in any thread, has no effect. A guard has no effect either if no
/// thread can be started for it.
class CrashGuard {
 public:
  /// @param message  the line, without the program's name
  explicit CrashGuard(std::string message);
  /// @param message  returns the line; called after a crash, in a thread that has not crashed
  explicit CrashGuard(std::function<std::string()> message);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  void wait();

  std::function<std::string()> message_;
  std::atomic<bool> is_over_{false};
  std::thread watcher_;  ///< cleans up, because no function may be called in the crashed thread
};

}  // namespace stencil

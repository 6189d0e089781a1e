#pragma once

#include <exception>
#include <functional>
#include <thread>

namespace stencil::storage {

/// Runs one piece of work at a time in a separate thread while the caller continues.
class WorkBehind {
 public:
  WorkBehind() = default;
  WorkBehind(const WorkBehind&) = delete;
  WorkBehind& operator=(const WorkBehind&) = delete;
  ~WorkBehind() { join(); }

  /// Starts the work and returns. If no thread can be started, the work is done before start()
  /// returns.
  /// @pre wait() has been called since the last start
  void start(std::function<void()> work);
  /// Waits until the work that was started last is done. Rethrows an exception of the work.
  void wait();
  /// Like wait(), but keeps an exception of the work for the next call of wait().
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
  std::exception_ptr failure_;
};

}  // namespace stencil::storage

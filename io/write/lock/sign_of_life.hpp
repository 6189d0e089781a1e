#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace stencil::storage {

/// Calls a function periodically from a separate thread, which blocks all signals.
class SignOfLife {
 public:
  SignOfLife() = default;
  ~SignOfLife();
  SignOfLife(const SignOfLife&) = delete;
  SignOfLife& operator=(const SignOfLife&) = delete;

  /// Starts the thread. @throws MachineError  no thread can be created
  void begin(std::chrono::seconds interval, std::function<void()> give);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace stencil::storage

#include "io/write/lock/sign_of_life.hpp"

#include <signal.h>

#include <string>
#include <system_error>

#include "framework/grid/error.hpp"

namespace stencil::storage {

SignOfLife::~SignOfLife() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void SignOfLife::begin(std::chrono::seconds interval, std::function<void()> give) {
  const auto loop = [this, interval, give = std::move(give)] {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, interval, [this] { return is_over_; })) give();
  };
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits the mask
  std::error_code failed;
  try {
    thread_ = std::thread(loop);
  } catch (const std::system_error& error) {
    failed = error.code();
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed)
    throw MachineError("cannot start a thread that keeps the output's lock: " + failed.message() +
                       ": raise ulimit -u, or start fewer ranks or threads");
}

}  // namespace stencil::storage

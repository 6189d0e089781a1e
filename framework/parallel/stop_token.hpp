#pragma once

#include <atomic>

namespace stencil {

/// A request to stop some work. The request may be made from any thread, including a signal
/// handler.
class StopToken {
 public:
  /// The reason of a request that no signal has caused; larger than every signal number.
  static constexpr int by_call = 500;

  /// Requests that the work stop. Replaces an earlier request that was not taken yet.
  /// @param reason  a signal number, or by_call
  void ask(int reason = by_call) noexcept { reason_ = reason; }
  /// Takes and removes the request: the caller has to act on it.
  /// @returns the reason; 0 if there is no request
  int take() noexcept { return reason_.exchange(0); }

 private:
  std::atomic<int> reason_{0};
  static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace stencil

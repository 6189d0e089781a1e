#pragma once

#include <atomic>

namespace stencil {

/// A request to stop some work. Any thread may ask, also within a signal handler.
class StopToken {
 public:
  /// The reason of a request that is not a signal; larger than the number of every signal.
  static constexpr int by_call = 500;

  /// Asks the work to stop. A request that nobody has taken yet is replaced.
  /// @param reason  the number of a signal, or by_call
  void ask(int reason = by_call) noexcept { reason_ = reason; }
  /// Takes the request, which is then no longer there: the caller has to act on it.
  /// @returns the reason; 0 if nobody has asked
  int take() noexcept { return reason_.exchange(0); }

 private:
  std::atomic<int> reason_{0};
  static_assert(std::atomic<int>::is_always_lock_free);
};

}  // namespace stencil

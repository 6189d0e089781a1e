#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "drivers/config/config.hpp"

namespace stencil {

/// When a run has to be at its end.
class TimeLeft {
 public:
  /// @param limit  run.time_limit; nothing: there is no limit
  /// @param begun  from when the limit counts
  explicit TimeLeft(const std::optional<TimeLimit>& limit,
                    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now());

  /// Whether something has to be done now that takes so many seconds, to be done in time; a tenth
  /// of the whole time, 10 s at most, is kept in reserve.
  bool is_over(double seconds) const;

  /// Seconds of the whole run; infinite without a limit.
  double seconds() const;
  /// Whether that part of the whole time is over.
  bool is_over_by(double part) const;

  /// `the time limit of the queue`; for messages.
  std::string limit() const;
  /// What the user should know: the queue does not say when the job ends. Empty: nothing.
  const std::string& note() const { return note_; }

 private:
  double since_begun() const;

  const std::chrono::steady_clock::time_point begun_;
  std::optional<double> end_{};  ///< seconds since then
  bool is_of_queue_ = false;
  std::string note_;
};

}  // namespace stencil

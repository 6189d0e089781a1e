#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "drivers/config/config.hpp"

namespace stencil {

/// The time at which a run has to end.
class TimeLeft {
 public:
  /// @param limit  run.time_limit; std::nullopt if there is no limit
  /// @param begun  the time from which the limit is counted
  explicit TimeLeft(const std::optional<TimeLimit>& limit,
                    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now());

  /// Returns whether work that takes `seconds` has to start now to be finished in time. A tenth of
  /// the limit, at most 10 s, is kept in reserve.
  bool is_over(double seconds) const;

  /// Returns the time limit in seconds; infinity without a limit.
  double seconds() const;
  /// Returns whether this fraction of the time limit has passed.
  bool is_over_by(double part) const;

  /// Returns a name of the limit for messages, such as `the time limit of the queue`.
  std::string limit() const;
  /// Returns a note for the user if the limit is that of the queue, but the queue does not report
  /// when the job ends; otherwise an empty text.
  const std::string& note() const { return note_; }

 private:
  double since_begun() const;

  const std::chrono::steady_clock::time_point begun_;
  std::optional<double> end_{};  ///< end of the job, in seconds since `begun_`
  bool is_of_queue_ = false;
  std::string note_;
};

}  // namespace stencil

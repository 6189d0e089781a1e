#include "drivers/job/watch/time_left.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace stencil {
namespace {

/// Returns the seconds until the end of the job, according to Slurm.
std::optional<double> left_of_job() {
  const char* text = std::getenv("SLURM_JOB_END_TIME");
  if (text == nullptr) return std::nullopt;
  long long end = 0;
  const auto [last, error] = std::from_chars(text, text + std::strlen(text), end);
  if (error != std::errc() || *last != '\0' || end <= 0) return std::nullopt;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(end) - now.count();
}

}  // namespace

TimeLeft::TimeLeft(const std::optional<TimeLimit>& limit,
                   std::chrono::steady_clock::time_point begun)
    : begun_(begun) {
  if (!limit) return;
  is_of_queue_ = limit->is_of_queue;
  if (!is_of_queue_) {
    end_ = limit->seconds;
    return;
  }
  if (const auto left = left_of_job())
    end_ = since_begun() + *left;
  else
    note_ =
        "run.time_limit = auto, but the queue does not say when the job ends (SLURM_JOB_END_TIME): "
        "write the time, as run.time_limit = 55 min";
}

double TimeLeft::since_begun() const {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun_;
  return seconds.count();
}

bool TimeLeft::is_over(double seconds) const {
  constexpr double most = 10;
  return end_ && since_begun() + seconds + std::min(most, 0.1 * *end_) >= *end_;
}

double TimeLeft::seconds() const {
  return end_.value_or(std::numeric_limits<double>::infinity());
}

bool TimeLeft::is_over_by(double part) const {
  return end_ && since_begun() >= part * *end_;
}

std::string TimeLeft::limit() const {
  return is_of_queue_ ? "the end of the job" : fmt::format("its time limit of {:g} s", *end_);
}

}  // namespace stencil

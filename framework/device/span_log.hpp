#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace stencil {

/// Records the work of the threads of this process, with its times, from the construction of the
/// log on. While a SpanLog exists, NamedRange and RecordedSpan add to it; at most one may exist at
/// a time.
class SpanLog {
 public:
  using Clock = std::chrono::steady_clock;
  /// A named interval of time in one thread. Two spans of the same thread and the same row are
  /// either nested or disjoint.
  struct Span {
    std::string name;
    std::string row;            ///< separate row of the thread in the timeline; if empty, the span
                                ///< is in the row of the thread's nested ranges
    int thread = 0;             ///< 0 for the thread that made the log; the other threads are
                                ///< numbered in the order of their first spans
    double begin = 0, end = 0;  ///< seconds since the log was made
  };

  /// @param most  number of spans that are kept; further spans are only counted
  explicit SpanLog(std::size_t most);
  /// @pre no thread is within a span
  ~SpanLog();
  SpanLog(const SpanLog&) = delete;
  SpanLog& operator=(const SpanLog&) = delete;

  /// Returns the existing SpanLog; null if there is none.
  static SpanLog* current();

  /// Adds a span; may be called by any thread.
  void add(std::string name, std::string row, Clock::time_point begin, Clock::time_point end);

  std::vector<Span> spans() const;
  /// Number of spans that were not kept because the log was full.
  std::size_t left_out() const;

 private:
  const std::size_t most_;
  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::map<std::thread::id, int> threads_;
  std::vector<Span> spans_;
  std::size_t left_out_ = 0;
};

/// A scope that the existing SpanLog records. Does nothing if no SpanLog exists.
class RecordedSpan {
 public:
  /// @param name, row  see SpanLog::Span
  explicit RecordedSpan(std::string_view name, std::string_view row = {})
      : log_(SpanLog::current()) {
    if (!log_) return;  // without a log, no time is spent on copies of the names
    name_ = name;
    row_ = row;
    begin_ = SpanLog::Clock::now();
  }
  ~RecordedSpan() {
    if (log_) log_->add(std::move(name_), std::move(row_), begin_, SpanLog::Clock::now());
  }
  RecordedSpan(const RecordedSpan&) = delete;
  RecordedSpan& operator=(const RecordedSpan&) = delete;

 private:
  SpanLog* const log_;
  std::string name_, row_;
  SpanLog::Clock::time_point begin_{};
};

}  // namespace stencil

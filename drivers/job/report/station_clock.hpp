#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>

#include "framework/device/span_log.hpp"

namespace stencil {

/// The stations that a window passes, in this order.
enum class Station : std::size_t { read, compute, write, verify };
inline constexpr std::size_t stations = 4;
/// Returns the name of a station in the report, such as `read`.
const char* name_of(Station station);

/// Measures how long each station is busy while several windows are processed at the same time.
/// Thread-safe.
class StationClock {
 public:
  StationClock() : begun_(Clock::now()) {}

  /// Runs a part of the work on a window, and measures its time.
  template <class Work>
  void time(Station station, const Work& work) {
    const RecordedSpan span(name_of(station), name_of(station));
    const Stay stay(*this, station, 1);
    work();
  }
  /// Like time(), for work within a call of time(). The clock of the outer station is stopped
  /// during this work.
  template <class Work>
  void time_within(Station outer, Station station, const Work& work) {
    const Stay away(*this, outer, -1);
    time(station, work);
  }

  /// Seconds in which at least one thread was at this station.
  double busy(Station station) const;
  /// Seconds since the construction of the clock in which no thread was at this station.
  double waiting(Station station) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    int threads = 0;
    Clock::time_point since{};
    Clock::duration busy{};
  };
  /// While an object of this class exists, `threads` is added to the number of threads at a
  /// station; `threads` is 1 or -1.
  class Stay {
   public:
    Stay(StationClock& clock, Station station, int threads)
        : clock_(clock), station_(station), threads_(threads) {
      clock_.change(station_, threads_);
    }
    ~Stay() { clock_.change(station_, -threads_); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    StationClock& clock_;
    const Station station_;
    const int threads_;
  };
  void change(Station station, int threads);

  mutable std::mutex mutex_;
  std::array<State, stations> states_{};
  const Clock::time_point begun_;
};

}  // namespace stencil

#include "drivers/job/report/station_clock.hpp"

namespace stencil {
namespace {

double in_seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

const char* name_of(Station station) {
  constexpr std::array<const char*, stations> names{"read", "compute", "write", "verify"};
  return names[static_cast<std::size_t>(station)];
}

void StationClock::change(Station station, int threads) {
  const std::lock_guard lock(mutex_);
  State& state = states_[static_cast<std::size_t>(station)];
  const bool was_busy = state.threads > 0;
  state.threads += threads;
  if (!was_busy && state.threads > 0) state.since = Clock::now();
  if (was_busy && state.threads == 0) state.busy += Clock::now() - state.since;
}

double StationClock::busy(Station station) const {
  const std::lock_guard lock(mutex_);
  const State& state = states_[static_cast<std::size_t>(station)];
  const auto now = state.threads > 0 ? Clock::now() - state.since : Clock::duration{};
  return in_seconds(state.busy + now);
}

double StationClock::waiting(Station station) const {
  return in_seconds(Clock::now() - begun_) - busy(station);
}

}  // namespace stencil

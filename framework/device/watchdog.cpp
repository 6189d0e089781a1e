#include "framework/device/watchdog.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <thread>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double default_seconds = 300;
constexpr auto eager = std::chrono::milliseconds(5);  // duration of polling without sleep, because
                                                      // waking up is slow
constexpr auto nap = std::chrono::microseconds(50);   // about the shortest possible sleep
constexpr auto between_looks = std::chrono::milliseconds(20);

StallHandler& handler() {
  static StallHandler function;
  return function;
}

[[noreturn]] void give_up() {
  const std::string message = fmt::format(
      "a GPU has made no progress for {} s: another rank hangs or has died, or one step takes "
      "longer than that: check the other ranks, or set STENCIL_STALL_SECONDS to more seconds",
      stall_seconds());
  if (handler()) handler()(message);
  throw MachineError(message);
}

}  // namespace

double stall_seconds() {
  const char* word = std::getenv("STENCIL_STALL_SECONDS");
  if (word == nullptr) return default_seconds;
  char* end = nullptr;
  const double seconds = std::strtod(word, &end);
  if (end == word || *end != 0 || !std::isfinite(seconds) || seconds <= 0)
    throw WordsError(
        fmt::format("STENCIL_STALL_SECONDS = {}: it is the number of seconds that a GPU may make "
                    "no progress: write a "
                    "number above 0, or unset it for {}",
                    word, default_seconds));
  return seconds;
}

void on_stall(StallHandler function) {
  handler() = std::move(function);
}

void wait_until(const std::function<bool()>& is_done, const std::function<void()>& look) {
  if (is_done()) return;
  const auto start = Clock::now();
  const std::chrono::duration<double> limit(stall_seconds());
  auto looked = start;
  while (!is_done()) {
    const auto now = Clock::now();
    if (now - start > limit) give_up();
    if (look && now - looked > between_looks) {
      try {
        look();
      } catch (const std::exception& found) {
        // the handler ends the process without unwinding the stack, because unwinding would free
        // memory and for this wait for the GPU
        if (handler()) handler()(found.what());
        throw;
      }
      looked = now;
    }
    if (now - start < eager)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(nap);
  }
}

}  // namespace stencil

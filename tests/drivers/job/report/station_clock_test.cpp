#include "drivers/job/report/station_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>

namespace stencil {
namespace {

void sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Sleeps may take longer than requested, so only lower bounds and sums of times are tested.
TEST(StationClock, seconds_with_somebody_there_and_without) {
  StationClock clock;
  clock.time(Station::compute, [&] {
    sleep(20);
    clock.time_within(Station::compute, Station::read, [] { sleep(30); });
    sleep(20);
  });
  const double busy = clock.busy(Station::compute), read = clock.busy(Station::read);
  EXPECT_GE(busy, 0.04);
  EXPECT_GE(read, 0.03);
  EXPECT_GE(clock.waiting(Station::compute), read);
  EXPECT_GE(clock.waiting(Station::read), busy);
  EXPECT_EQ(clock.busy(Station::write), 0);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Two threads at a station at the same time are counted once: the station is busy for no longer
/// than the time that passes, which is less than the sum of both stays.
TEST(StationClock, threads_that_are_there_at_the_same_time_count_once) {
  const auto begin = std::chrono::steady_clock::now();
  StationClock clock;
  const auto made = std::chrono::steady_clock::now();
  std::latch entered(2), left(2);
  const auto stay = [&] {
    clock.time(Station::write, [&] {
      entered.arrive_and_wait();
      sleep(200);
      left.arrive_and_wait();
    });
  };
  std::thread other(stay);
  stay();
  other.join();
  const double passed = seconds_since(made), busy = clock.busy(Station::write);
  EXPECT_GE(busy, 0.2);
  EXPECT_LE(busy, passed);
  sleep(5);
  EXPECT_EQ(clock.busy(Station::write), busy) << "no station is busy now";
  const double least = seconds_since(made), waiting = clock.waiting(Station::write);
  EXPECT_GE(busy + waiting, least);
  EXPECT_LE(busy + waiting, seconds_since(begin));
}

TEST(StationClock, an_exception_leaves_the_station) {
  StationClock clock;
  EXPECT_THROW(clock.time(Station::verify, [] { throw 1; }), int);
  const double busy = clock.busy(Station::verify);
  sleep(5);
  EXPECT_EQ(clock.busy(Station::verify), busy);
}

}  // namespace
}  // namespace stencil

#include "drivers/job/station_clock.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace stencil {
namespace {

void sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Sleeps take as long as they are told at least: only lower bounds are certain, and sums.
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

/// Two threads that are there at the same time count once, and a station counts while they stay.
TEST(StationClock, threads_that_are_there_at_the_same_time_count_once) {
  StationClock clock;
  std::latch both(2);
  const auto stay = [&] {
    clock.time(Station::write, [&] {
      both.arrive_and_wait();
      sleep(50);
    });
  };
  std::thread other(stay);
  stay();
  other.join();
  const double busy = clock.busy(Station::write);
  EXPECT_GE(busy, 0.05);
  EXPECT_EQ(clock.busy(Station::write), busy);  // nobody is there any more
  const double all = busy + clock.waiting(Station::write);
  EXPECT_LE(busy, all);
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

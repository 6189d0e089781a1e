#include "io/metadata/leap_seconds.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace stencil::storage {
namespace {

TEST(LeapSeconds, are_eighteen_since_1980) {
  EXPECT_TRUE(gps_of_utc(gps_zero) == gps_zero);
  EXPECT_TRUE(gps_of_utc(2'000'000'000 * one_second) == 2'000'000'018 * one_second);
  EXPECT_TRUE(gps_of_utc(-5) == -5);
}

TEST(LeapSeconds, come_before_the_midnights_that_were_announced) {
  using namespace std::chrono;
  for (const auto& [of, in] : std::vector<std::pair<int, unsigned>>{{1981, 7},
                                                                    {1982, 7},
                                                                    {1983, 7},
                                                                    {1985, 7},
                                                                    {1988, 1},
                                                                    {1990, 1},
                                                                    {1991, 1},
                                                                    {1992, 7},
                                                                    {1993, 7},
                                                                    {1994, 7},
                                                                    {1996, 1},
                                                                    {1997, 7},
                                                                    {1999, 1},
                                                                    {2006, 1},
                                                                    {2009, 1},
                                                                    {2012, 7},
                                                                    {2015, 7},
                                                                    {2017, 1}}) {
    const sys_seconds day = sys_days(year(of) / month(in) / 1);
    const Nanoseconds midnight = day.time_since_epoch().count() * one_second;
    EXPECT_TRUE(gps_of_utc(midnight) - gps_of_utc(midnight - 1) == one_second + 1)
        << of << "-" << in;
  }
}

TEST(LeapSeconds, are_counted_once_on_the_way_there_and_back) {
  const Nanoseconds midnight = 1'483'228'800 * one_second;  // 2017-01-01
  EXPECT_TRUE(gps_of_utc(midnight) - gps_of_utc(midnight - 1) == one_second + 1);
  for (Nanoseconds utc = 0; utc < 2'000'000'000 * one_second; utc += 1'000'003 * one_second) {
    const UtcOfGps back = utc_of_gps(gps_of_utc(utc));
    EXPECT_TRUE(back.utc == utc);
    EXPECT_FALSE(back.is_leap_second);
  }
  const UtcOfGps within = utc_of_gps(gps_of_utc(midnight) - one_second / 2);
  EXPECT_TRUE(within.is_leap_second);
  EXPECT_TRUE(within.utc == midnight - one_second / 2);
}

}  // namespace
}  // namespace stencil::storage

#include "io/metadata/leap_seconds.hpp"

#include <gtest/gtest.h>

namespace stencil::storage {
namespace {

TEST(LeapSeconds, are_eighteen_since_1980) {
  EXPECT_TRUE(gps_of_utc(gps_zero) == gps_zero);
  EXPECT_TRUE(gps_of_utc(2'000'000'000 * one_second) == 2'000'000'018 * one_second);
  EXPECT_TRUE(gps_of_utc(-5) == -5);
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

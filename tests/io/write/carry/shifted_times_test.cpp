#include "io/write/carry/shifted_times.hpp"

#include <gtest/gtest.h>

#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

TEST(ShiftedTimes, are_written_as_they_were) {
  const struct {
    const char* text;
    Index nanoseconds;
    const char* later;
  } cases[] = {
      {"2024-05-01T00:10:00", 1'000'000'000, "2024-05-01T00:10:01"},
      {"2024-05-01T00:10:00.000000+00:00", 5'000'000, "2024-05-01T00:10:00.005000+00:00"},
      {"2024-05-01T00:10:00.000Z", 333'333'333, "2024-05-01T00:10:00.333333333Z"},
      {"2024-02-28 23:59:59.5", 500'000'000, "2024-02-29 00:00:00.0"},
      {"2024-05-01T02:10:00+02:00", -600'000'000'000, "2024-05-01T02:00:00+02:00"},
      {"2024-05-01T00:10", 60'000'000'000, "2024-05-01T00:11"},
      {"2024-05-01T00:10", 1'000'000, "2024-05-01T00:10:00.001"},
      {"1970-01-01T00:00:00.25", -500'000'000, "1969-12-31T23:59:59.75"},
      {"2024-05-01T00:10:00.25 UTC", 0, "2024-05-01T00:10:00.25 UTC"},
  };
  for (const auto& one : cases) EXPECT_EQ(later(one.text, one.nanoseconds), one.later) << one.text;
}

TEST(ShiftedTimes, are_so_much_later) {
  for (const char* text :
       {"2024-05-01T00:10:00", "1969-12-31T23:59:59.999999999", "1900-01-01 00:00"})
    for (const Index by :
         {Index{0}, Index{1}, Index{-1}, Index{86'400'000'000'001}, -Index{3} << 58}) {
      const auto result = later(text, by);
      ASSERT_TRUE(result) << text << " " << by;
      EXPECT_EQ(*time_of(*result) - *time_of(text), by) << text;
    }
}

TEST(ShiftedTimes, other_texts_and_years_are_none) {
  for (const char* text : {"", "yesterday", "2024-05-01", "20240501T001000Z", "2024-5-1T00:10:00",
                           "2024-05-01T00:10:00 somewhere", "2024-13-01T00:10:00"})
    EXPECT_FALSE(later(text, 1)) << text;
  EXPECT_FALSE(later("9999-12-31T00:00:00", 86'400 * one_second));
  EXPECT_EQ(later("9999-12-30T00:00:00", 86'400 * one_second), "9999-12-31T00:00:00");
  EXPECT_FALSE(later("0001-01-01T00:00:00", -one_second));
}

}  // namespace
}  // namespace stencil::storage

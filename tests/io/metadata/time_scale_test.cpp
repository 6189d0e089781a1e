#include "io/metadata/time_scale.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "io/metadata/date.hpp"

namespace stencil::storage {
namespace {

std::string date_at(const TimeScale& scale, const ElementValue& value) {
  const auto time = scale.at(value);
  return time ? date_text(*time, scale.calendar) : "none";
}

TEST(TimeScale, has_units_of_time_exactly) {
  const struct {
    const char* text;
    Index numerator, denominator;
  } cases[] = {
      {"s", 1'000'000'000, 1},
      {"msec", 1'000'000, 1},
      {"\u00b5s", 1'000, 1},
      {"ns", 1, 1},
      {"ps", 1, 1'000},
      {"fs", 1, 1'000'000},
      {"100 ns", 100, 1},
      {"mins", 60'000'000'000, 1},
      {"hrs", 3'600'000'000'000, 1},
      {"D", 86'400'000'000'000, 1},
      {"s/4096", 1'953'125, 8},
      {"Seconds since 1970-01-01", 1'000'000'000, 1},
      {"hours since launch", 3'600'000'000'000, 1},
  };
  for (const auto& one : cases) {
    const auto unit = time_unit_of(one.text);
    ASSERT_TRUE(unit) << one.text;
    EXPECT_EQ(unit->numerator, one.numerator) << one.text;
    EXPECT_EQ(unit->denominator, one.denominator) << one.text;
  }
  for (const char* text : {"", "m", "Hz", "degrees_east", "samples", "since 1970-01-01"})
    EXPECT_FALSE(time_unit_of(text)) << text;
}

TEST(TimeScale, has_rates_exactly) {
  EXPECT_EQ(time_unit_of("ns")->rate_of(100), 1e7);
  EXPECT_EQ(time_unit_of("ms")->rate_of(-2), 500);
  EXPECT_EQ(time_unit_of("ps")->rate_of(1000), 1e9);
  EXPECT_EQ(time_unit_of("days")->rate_of(1), 1 / 86400.);
}

TEST(TimeScale, months_have_a_length_in_360_days_only) {
  EXPECT_EQ(date_at(*time_scale_of("months since 2000-01-01", "360_day"), 14),
            "2001-03-01T00:00:00");
  EXPECT_EQ(date_at(*time_scale_of("common_years since 2000-01-01", "noleap"), 2),
            "2002-01-01T00:00:00");
  EXPECT_FALSE(time_scale_of("months since 2000-01-01"));
  EXPECT_FALSE(time_scale_of("years since 2000-01-01", "360_day"));
  EXPECT_FALSE(time_scale_of("common_years since 2000-01-01"));
}

TEST(TimeScale, counts_in_its_calendar_from_its_date) {
  EXPECT_EQ(date_at(*time_scale_of("days since 1-1-1 00:00:0.0"), 730120), "1999-12-31T00:00:00");
  EXPECT_EQ(date_at(*time_scale_of("days since 1-1-1", "proleptic_gregorian"), 730120),
            "2000-01-02T00:00:00");
  EXPECT_EQ(date_at(*time_scale_of("days since 2050-01-01", "noleap"), 3285.25),
            "2059-01-01T06:00:00");
  EXPECT_EQ(date_at(*time_scale_of("HOURS SINCE 1900-01-01 00:00:00 -1:00"), 1),
            "1900-01-01T02:00:00");
  EXPECT_FALSE(time_scale_of("days since 2001-02-29"));
  EXPECT_FALSE(time_scale_of("days since 2000-02-29", "noleap"));
  EXPECT_FALSE(time_scale_of("days since 2000-02"));
  EXPECT_FALSE(time_scale_of("days since launch"));
  EXPECT_FALSE(time_scale_of("days since 2000-01-01", "martian"));
}

TEST(TimeScale, reads_integers_as_integers) {
  const TimeScale scale = *time_scale_of("nanoseconds since 1970-01-01");
  const Index value = 1'700'000'000'000'000'001;
  EXPECT_TRUE(scale.at(value) == Nanoseconds{value});
  EXPECT_EQ(scale.first_from(value), value);
  EXPECT_EQ(scale.last_before(value), value - 1);
  const TimeScale hours = *time_scale_of("hours since 2000-01-01");
  EXPECT_EQ(hours.first_from(hours.zero + 1), 1);
  EXPECT_EQ(hours.last_before(hours.zero + 1), 0);
  EXPECT_EQ(hours.first_from(hours.zero - 1), 0);
  EXPECT_EQ(hours.last_before(hours.zero - 1), -1);
  const Nanoseconds far = Nanoseconds{1} << 100;
  EXPECT_EQ(scale.first_from(far), std::numeric_limits<Index>::max());
  EXPECT_EQ(scale.last_before(-far), std::numeric_limits<Index>::min());
}

TEST(TimeScale, gives_numbers_back) {
  for (const char* units : {"days since 1850-01-01", "s", "picoseconds since 2000-01-01"}) {
    const TimeScale scale = *time_scale_of(units);
    for (const double value : {0., 1.5, -2.25, 54786.0, 1e6})
      EXPECT_EQ(scale.value_of(*scale.at(value)),
                scale.unit.numerator > 1 ? value : std::round(value / 1000) * 1000)
          << units << " " << value;
  }
  EXPECT_FALSE(TimeScale{}.at(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(TimeScale{}.at(1e300));
}

}  // namespace
}  // namespace stencil::storage

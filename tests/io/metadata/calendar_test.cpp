#include "io/metadata/calendar.hpp"

#include <gtest/gtest.h>

#include "tests/support/thorough.hpp"

namespace stencil::storage {
namespace {

constexpr Calendar all[] = {Calendar::standard, Calendar::proleptic_gregorian,
                            Calendar::julian,   Calendar::noleap,
                            Calendar::all_leap, Calendar::days_360,
                            Calendar::gps};

TEST(Calendar, has_the_names_of_the_cf_conventions) {
  for (const Calendar calendar : all) EXPECT_EQ(calendar_of(name_of(calendar)), calendar);
  EXPECT_EQ(calendar_of(""), Calendar::standard);
  EXPECT_EQ(calendar_of("gregorian"), Calendar::standard);
  EXPECT_EQ(calendar_of("365_day"), Calendar::noleap);
  EXPECT_EQ(calendar_of("366_DAY"), Calendar::all_leap);
  EXPECT_FALSE(calendar_of("none"));
  EXPECT_FALSE(calendar_of("martian"));
}

TEST(Calendar, counts_every_day_once) {
  const Index first = -testing::cases(800'000, 200'000);  // the quick run begins with the year 1422
  const Index last = testing::cases(200'000, 50'000);
  for (const Calendar calendar : all) {
    EXPECT_EQ(number_of(calendar, {1970, 1, 1}), 0) << name_of(calendar);
    Day before = day_of(calendar, first);
    for (Index number = first + 1; number < last; ++number) {
      const Day day = day_of(calendar, number);
      ASSERT_TRUE(has_day(calendar, day)) << name_of(calendar) << " " << number;
      ASSERT_EQ(number_of(calendar, day), number) << name_of(calendar);
      const bool follows = day.day == before.day + 1
                               ? day.month == before.month && day.year == before.year
                               : day.day == 1 || (day == Day{1582, 10, 15});
      ASSERT_TRUE(follows) << name_of(calendar) << " " << number;
      before = day;
    }
  }
}

TEST(Calendar, has_the_days_of_its_rule) {
  const Day leap_1900{1900, 2, 29}, leap_2000{2000, 2, 29}, thirtieth{2001, 2, 30};
  EXPECT_FALSE(has_day(Calendar::standard, leap_1900));
  EXPECT_TRUE(has_day(Calendar::standard, leap_2000));
  EXPECT_TRUE(has_day(Calendar::julian, leap_1900));
  EXPECT_FALSE(has_day(Calendar::noleap, leap_2000));
  EXPECT_TRUE(has_day(Calendar::all_leap, leap_1900));
  EXPECT_TRUE(has_day(Calendar::days_360, thirtieth));
  EXPECT_FALSE(has_day(Calendar::days_360, {2001, 1, 31}));
  EXPECT_FALSE(has_day(Calendar::standard, {2001, 13, 1}));
}

TEST(Calendar, standard_goes_from_julian_to_gregorian) {
  EXPECT_EQ(
      number_of(Calendar::standard, {1582, 10, 15}) - number_of(Calendar::standard, {1582, 10, 4}),
      1);
  EXPECT_FALSE(has_day(Calendar::standard, {1582, 10, 10}));
  EXPECT_TRUE(has_day(Calendar::standard, {1500, 2, 29}));
  EXPECT_TRUE(has_day(Calendar::proleptic_gregorian, {1582, 10, 10}));
  EXPECT_FALSE(has_day(Calendar::proleptic_gregorian, {1500, 2, 29}));
}

TEST(Calendar, of_julius_caesar_has_no_year_zero) {
  for (const Calendar calendar : {Calendar::standard, Calendar::julian}) {
    EXPECT_FALSE(has_day(calendar, {0, 1, 1}));
    EXPECT_EQ(number_of(calendar, {1, 1, 1}) - number_of(calendar, {-1, 12, 31}), 1);
    EXPECT_EQ(day_of(calendar, number_of(calendar, {1, 1, 1}) - 1), (Day{-1, 12, 31}));
  }
  EXPECT_EQ(number_of(Calendar::noleap, {1, 1, 1}) - number_of(Calendar::noleap, {0, 12, 31}), 1);
}

}  // namespace
}  // namespace stencil::storage

#include "io/metadata/date.hpp"

#include <gtest/gtest.h>

namespace stencil::storage {
namespace {

std::string again(const std::string& text, Calendar calendar = Calendar::standard) {
  const auto date = Date::parse(text);
  const auto begin = date ? begin_of(*date, calendar) : std::nullopt;
  return begin ? date_text(*begin, calendar) : "none";
}

TEST(Date, is_read_in_the_spellings_of_files) {
  const struct {
    const char *text, *begin;
  } cases[] = {
      {"2024-05-01T00:10:00.25+02:00", "2024-04-30T22:10:00.25"},
      {"1-1-1 00:00:0.0", "0001-01-01T00:00:00"},
      {"2000-01-01 6:00", "2000-01-01T06:00:00"},
      {"2000-01-01 06", "2000-01-01T06:00:00"},
      {"1992-10-8 15:15:42.5 -6:00", "1992-10-08T21:15:42.5"},
      {"1990-01-01 00:00:00 UTC", "1990-01-01T00:00:00"},
      {"1990-01-01T00:00:00Z", "1990-01-01T00:00:00"},
      {"1990-01-01 00:00:00 -0330", "1990-01-01T03:30:00"},
      {"1990-01-01 12:00 +5", "1990-01-01T07:00:00"},
      {"2016-12-31T24:00", "2017-01-01T00:00:00"},
      {"2016-12-31T23:59:60", "2017-01-01T00:00:00"},
      {"-44-03-15", "-044-03-15T00:00:00"},
      {"2000", "2000-01-01T00:00:00"},
      {"2000-07", "2000-07-01T00:00:00"},
  };
  for (const auto& one : cases) EXPECT_EQ(again(one.text), one.begin) << one.text;
  for (const char* text : {"", "yesterday", "2024-13-01", "20240501", "2024-05-01T25:00",
                           "2024-05-01T00:61", "2024-05-01T00:10:00 somewhere", "2023-02-29",
                           "2024-05-01 24:30", "1582-10-10", "2024-05-01T00:10:00+99"})
    EXPECT_EQ(again(text), "none") << text;
}

TEST(Date, stands_for_its_period) {
  const auto end = [](const char* text, Calendar calendar) {
    return date_text(end_of(*Date::parse(text), calendar).value() - 1, calendar);
  };
  EXPECT_EQ(end("2000", Calendar::standard), "2000-12-31T23:59:59.999999999");
  EXPECT_EQ(end("2000-12", Calendar::standard), "2000-12-31T23:59:59.999999999");
  EXPECT_EQ(end("2000-02", Calendar::standard), "2000-02-29T23:59:59.999999999");
  EXPECT_EQ(end("2000-02", Calendar::noleap), "2000-02-28T23:59:59.999999999");
  EXPECT_EQ(end("2000-02", Calendar::days_360), "2000-02-30T23:59:59.999999999");
  EXPECT_EQ(end("1582-10-04", Calendar::standard), "1582-10-04T23:59:59.999999999");
  EXPECT_EQ(end("-1", Calendar::standard), "-001-12-31T23:59:59.999999999");
  EXPECT_EQ(end("2000-01-02T06", Calendar::standard), "2000-01-02T06:59:59.999999999");
  EXPECT_EQ(end("2000-01-02T06:30", Calendar::standard), "2000-01-02T06:30:59.999999999");
  EXPECT_EQ(end("2000-01-02T06:30:15", Calendar::standard), "2000-01-02T06:30:15.999999999");
  EXPECT_EQ(end("2000-01-02T06:30:15.5", Calendar::standard), "2000-01-02T06:30:15.500999999");
  EXPECT_EQ(end("2000-01-02T06:30:15.000001", Calendar::standard), "2000-01-02T06:30:15.000001999");
  EXPECT_EQ(end("2000-01-02+01:00", Calendar::standard), "2000-01-02T22:59:59.999999999");
}

TEST(Date, of_gps_counts_leap_seconds) {
  const auto seconds = [](const char* text) {
    return static_cast<Index>((begin_of(*Date::parse(text), Calendar::gps).value() -
                               begin_of(*Date::parse("1980-01-06"), Calendar::gps).value()) /
                              one_second);
  };
  EXPECT_EQ(seconds("2015-09-14T09:50:45"), 1126259462) << "GW150914";
  EXPECT_EQ(seconds("2017-08-17T12:41:04"), 1187008882) << "GW170817";
  EXPECT_EQ(seconds("2017-01-01") - seconds("2016-12-31T23:59:59"), 2);
  EXPECT_EQ(seconds("2016-12-31T23:59:60"), seconds("2016-12-31T23:59:59") + 1);
  for (const char* text : {"2016-12-31T23:59:59", "2016-12-31T23:59:60", "2017-01-01T00:00:00",
                           "2026-03-04T05:06:07.5", "1979-01-01T00:00:00"})
    EXPECT_EQ(again(text, Calendar::gps), text);
  const auto day = Date::parse("2016-12-31");
  EXPECT_EQ(static_cast<Index>((*end_of(*day, Calendar::gps) - *begin_of(*day, Calendar::gps)) /
                               one_second),
            86401);
}

}  // namespace
}  // namespace stencil::storage

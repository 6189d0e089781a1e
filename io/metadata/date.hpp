#pragma once

#include <optional>
#include <string>

#include "io/hdf5/nanoseconds.hpp"
#include "io/metadata/calendar.hpp"

namespace stencil::storage {

/// What the last number of a written date counts.
enum class DatePart {
  year,
  month,
  day,
  hour,
  minute,
  second,
  millisecond,
  microsecond,
  nanosecond
};

/// A date as it is written, in ISO 8601 or with a blank instead of the `T`, numbers with or without
/// leading zeros: `2000`, `2000-01`, `1-1-1 00:00:0.0`, `2024-05-01T00:10:00.25+02:00`. An offset
/// from UTC is `Z`, `UTC`, `+02:00`, `-0330`, `-6:00` or `+2`.
struct Date {
  Day day;
  int hour = 0, minute = 0, second = 0;
  int nanosecond = 0;
  int offset = 0;  ///< seconds that the local time is ahead of UTC
  DatePart last = DatePart::year;

  /// @returns nothing if the text is not such a date; whether its calendar has that day remains
  /// open
  static std::optional<Date> parse(const std::string& text);
};

/// The time of a date in ns since the beginning of 1970 in that calendar, UTC; a date without its
/// last parts is the beginning of its period.
/// @returns nothing if the calendar has no such day
std::optional<Nanoseconds> begin_of(const Date& date, Calendar calendar);

/// The end of the period of a date: `2000-01` ends at 2000-02-01T00:00. The period of a fraction of
/// a second with up to three digits is a millisecond, with up to six a microsecond, otherwise a
/// nanosecond.
/// @returns nothing if the calendar has no such day
std::optional<Nanoseconds> end_of(const Date& date, Calendar calendar);

/// `2024-05-01T00:10:00.25`, of ns since 1970 in that calendar.
std::string date_text(Nanoseconds time, Calendar calendar);

}  // namespace stencil::storage

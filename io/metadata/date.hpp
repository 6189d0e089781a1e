#pragma once

#include <optional>
#include <string>

#include "io/hdf5/nanoseconds.hpp"
#include "io/metadata/calendar.hpp"

namespace stencil::storage {

/// The smallest part that a written date contains.
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

/// A date as written in a file, in ISO 8601. A blank may replace the `T`, and leading zeros may be
/// omitted: `2000`, `2000-01`, `1-1-1 00:00:0.0`, `2024-05-01T00:10:00.25+02:00`. An offset from
/// UTC is written `Z`, `UTC`, `+02:00`, `-0330`, `-6:00` or `+2`.
struct Date {
  Day day;
  int hour = 0, minute = 0, second = 0;
  int nanosecond = 0;
  int offset = 0;  ///< local time minus UTC in seconds
  DatePart last = DatePart::year;

  /// Parses a date.
  /// @returns std::nullopt if the text is not such a date; does not check whether the day exists in
  ///          a calendar
  static std::optional<Date> parse(const std::string& text);
};

/// Returns the time of a date in ns since the beginning of 1970 in the calendar, UTC. If the date
/// lacks a month, a day or a time of day, the result is the beginning of the period that the date
/// denotes.
/// @returns std::nullopt if the day does not exist in the calendar
std::optional<Nanoseconds> begin_of(const Date& date, Calendar calendar);

/// Returns the end of the period of a date: `2000-01` ends at 2000-02-01T00:00. A fraction of a
/// second with up to three digits means a period of a millisecond, with up to six a microsecond,
/// otherwise a nanosecond.
/// @returns std::nullopt if the day does not exist in the calendar
std::optional<Nanoseconds> end_of(const Date& date, Calendar calendar);

/// Formats a time, in ns since 1970 in the calendar, as `2024-05-01T00:10:00.25`.
std::string date_text(Nanoseconds time, Calendar calendar);

}  // namespace stencil::storage

#pragma once

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The calendars of the CF conventions, and `gps`: UTC dates of a clock that counts leap seconds.
enum class Calendar {
  standard,             ///< also `gregorian`: Julian until 1582-10-04, Gregorian from 1582-10-15 on
  proleptic_gregorian,  ///< Gregorian at all times
  julian,
  noleap,    ///< also `365_day`
  all_leap,  ///< also `366_day`
  days_360,  ///< `360_day`: twelve months of 30 days
  gps
};

/// The calendar of an attribute `calendar`, case-insensitive; standard if it is empty.
/// @returns nothing for names other than those of name_of() and their synonyms
std::optional<Calendar> calendar_of(const std::string& name);

/// The name in the CF conventions, `noleap`; `gps` for that clock.
std::string name_of(Calendar calendar);

/// A day of a calendar. Years are numbered as in files: in the calendars standard and julian the
/// year -1 is followed by the year 1, in the others by the year 0.
struct Day {
  Index year = 1970;
  int month = 1, day = 1;
  bool operator==(const Day&) const = default;
};

/// Whether the calendar has that day.
bool has_day(Calendar calendar, const Day& day);

/// Days from 1970-01-01 of the same calendar to that day. @pre has_day(calendar, day)
Index number_of(Calendar calendar, const Day& day);

/// The day that lies `number` days after 1970-01-01 of the calendar.
Day day_of(Calendar calendar, Index number);

}  // namespace stencil::storage

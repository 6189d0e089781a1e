#pragma once

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The calendars of the CF conventions, and `gps`: UTC dates whose differences count leap seconds.
enum class Calendar {
  standard,             ///< or `gregorian`: Julian until 1582-10-04, Gregorian from 1582-10-15 on
  proleptic_gregorian,  ///< Gregorian at all times
  julian,
  noleap,    ///< or `365_day`
  all_leap,  ///< or `366_day`
  days_360,  ///< `360_day`: twelve months of 30 days
  gps
};

/// Returns the calendar named by an attribute `calendar`, case-insensitive; standard if the text is
/// empty.
/// @returns std::nullopt for all names except the results of name_of() and their synonyms
std::optional<Calendar> calendar_of(const std::string& name);

/// Name of a calendar in the CF conventions, such as `noleap`; `gps` for GPS.
std::string name_of(Calendar calendar);

/// A day of a calendar. Years are numbered as in files: in the calendars `standard` and `julian`,
/// year -1 is followed by year 1; in all other calendars, year -1 is followed by year 0.
struct Day {
  Index year = 1970;
  int month = 1, day = 1;
  bool operator==(const Day&) const = default;
};

/// Returns whether the day exists in the calendar.
bool has_day(Calendar calendar, const Day& day);

/// Number of days from 1970-01-01 of the same calendar to the day. @pre has_day(calendar, day)
Index number_of(Calendar calendar, const Day& day);

/// Returns the day that is `number` days after 1970-01-01 of the calendar.
Day day_of(Calendar calendar, Index number);

}  // namespace stencil::storage

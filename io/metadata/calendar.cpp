#include "io/metadata/calendar.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace stencil::storage {
namespace {

/// Rule that determines which years have a leap day.
enum class Leap { gregorian, julian, never, always };

constexpr Day last_julian{1582, 10, 4}, first_gregorian{1582, 10, 15};

Index floor_of(Index a, Index b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

bool is_leap(Leap rule, Index year) {
  if (rule == Leap::julian) return year % 4 == 0;
  if (rule == Leap::gregorian) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return rule == Leap::always;
}

int month_length(Leap rule, Index year, int month) {
  constexpr std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return lengths[static_cast<std::size_t>(month) - 1] + (month == 2 && is_leap(rule, year) ? 1 : 0);
}

/// Number of days from the beginning of year 0 to the beginning of a year.
Index days_before(Leap rule, Index year) {
  Index leaps = 0;
  if (rule == Leap::always) leaps = year;
  if (rule == Leap::julian || rule == Leap::gregorian) leaps = floor_of(year + 3, 4);
  if (rule == Leap::gregorian) leaps += floor_of(year + 399, 400) - floor_of(year + 99, 100);
  return 365 * year + leaps;
}

/// Number of days from the beginning of year 0 to a day, for calendars in which year 1 follows year
/// 0.
Index count(Leap rule, const Day& day) {
  Index days = days_before(rule, day.year) + day.day - 1;
  for (int month = 1; month < day.month; ++month) days += month_length(rule, day.year, month);
  return days;
}

Day counted(Leap rule, Index days) {
  // an estimate, which is less accurate for calendars in which all years have 365 or 366 days
  Day day{floor_of(days * 400, 146097), 1, 1};
  while (days_before(rule, day.year) > days) --day.year;
  while (days_before(rule, day.year + 1) <= days) ++day.year;
  days -= days_before(rule, day.year);
  for (; days >= month_length(rule, day.year, day.month); ++day.month)
    days -= month_length(rule, day.year, day.month);
  day.day = static_cast<int>(days) + 1;
  return day;
}

/// Returns the leap-year rule that applies on a day. In the standard calendar, the rule is Julian
/// up to 4 October 1582, and Gregorian afterwards.
Leap rule_of(Calendar calendar, const Day& day) {
  switch (calendar) {
    case Calendar::julian:
      return Leap::julian;
    case Calendar::noleap:
      return Leap::never;
    case Calendar::all_leap:
      return Leap::always;
    case Calendar::standard: {
      const auto in_order = [](const Day& d) {
        return std::array<Index, 3>{d.year, d.month, d.day};
      };
      return in_order(day) <= in_order(last_julian) ? Leap::julian : Leap::gregorian;
    }
    default:
      return Leap::gregorian;
  }
}

bool has_year_zero(Calendar calendar) {
  return calendar != Calendar::standard && calendar != Calendar::julian;
}

/// Number of days from the beginning of year 0, extrapolated by the rule that the calendar has in
/// 1970, to a day.
Index count(Calendar calendar, Day day) {
  if (!has_year_zero(calendar) && day.year < 0) ++day.year;
  if (calendar == Calendar::days_360) return 360 * day.year + 30 * (day.month - 1) + day.day - 1;
  const Leap rule = rule_of(calendar, day);
  if (calendar == Calendar::standard && rule == Leap::julian)
    return count(Leap::gregorian, first_gregorian) + count(rule, day) - count(rule, last_julian) -
           1;
  return count(rule, day);
}

}  // namespace

std::optional<Calendar> calendar_of(const std::string& name) {
  static const std::map<std::string, Calendar> calendars{
      {"", Calendar::standard},
      {"standard", Calendar::standard},
      {"gregorian", Calendar::standard},
      {"proleptic_gregorian", Calendar::proleptic_gregorian},
      {"julian", Calendar::julian},
      {"noleap", Calendar::noleap},
      {"365_day", Calendar::noleap},
      {"all_leap", Calendar::all_leap},
      {"366_day", Calendar::all_leap},
      {"360_day", Calendar::days_360},
      {"gps", Calendar::gps}};
  std::string word = name;
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto found = calendars.find(word);
  return found == calendars.end() ? std::nullopt : std::optional(found->second);
}

std::string name_of(Calendar calendar) {
  constexpr std::array names{
      "standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day", "gps"};
  return names[static_cast<std::size_t>(calendar)];
}

bool has_day(Calendar calendar, const Day& day) {
  if (day.month < 1 || day.month > 12 || day.day < 1) return false;
  if (!has_year_zero(calendar) && day.year == 0) return false;
  if (calendar == Calendar::days_360) return day.day <= 30;
  if (calendar == Calendar::standard && day.year == 1582 && day.month == 10 &&
      day.day > last_julian.day && day.day < first_gregorian.day)
    return false;
  const Index year = !has_year_zero(calendar) && day.year < 0 ? day.year + 1 : day.year;
  return day.day <= month_length(rule_of(calendar, day), year, day.month);
}

Index number_of(Calendar calendar, const Day& day) {
  return count(calendar, day) - count(calendar, Day{1970, 1, 1});
}

Day day_of(Calendar calendar, Index number) {
  const Index days = number + count(calendar, Day{1970, 1, 1});
  Day day;
  if (calendar == Calendar::days_360) {
    const Index year = floor_of(days, 360), rest = days - 360 * year;
    return {year, static_cast<int>(rest / 30) + 1, static_cast<int>(rest % 30) + 1};
  }
  const Index reform = count(Leap::gregorian, first_gregorian);
  if (calendar == Calendar::standard && days < reform)
    day = counted(Leap::julian, days - reform + count(Leap::julian, last_julian) + 1);
  else
    day = counted(rule_of(calendar, first_gregorian), days);
  if (!has_year_zero(calendar) && day.year <= 0) --day.year;
  return day;
}

}  // namespace stencil::storage

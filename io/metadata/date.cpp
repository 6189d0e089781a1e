#include "io/metadata/date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "io/metadata/leap_seconds.hpp"

namespace stencil::storage {
namespace {

constexpr Index seconds_of_day = 86400;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Reads a text from its beginning, part by part.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool is_at_end() const { return rest_.empty(); }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (take(' ')) {
    }
  }
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool has_digit() const { return !rest_.empty() && is_digit(rest_.front()); }

  /// Returns the number formed by the next digits; std::nullopt if there is no digit or there are
  /// more than most_digits.
  std::optional<int> number(std::size_t most_digits) {
    const std::string_view all = digits();
    if (all.empty() || all.size() > most_digits) return std::nullopt;
    int value = 0;
    for (const char c : all) value = 10 * value + (c - '0');
    return value;
  }
  std::string_view digits() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    const std::string_view all = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(all.size());
    return all;
  }

 private:
  std::string_view rest_;
};

/// Reads a time of day; a leap second is `:60`. @returns whether there is one
bool read_time(Scanner& scanner, Date& date) {
  const auto hour = scanner.number(2);
  if (!hour) return false;
  date.hour = *hour;
  date.last = DatePart::hour;
  if (scanner.take(':')) {
    const auto minute = scanner.number(2);
    if (!minute) return false;
    date.minute = *minute;
    date.last = DatePart::minute;
    if (scanner.take(':')) {
      const auto second = scanner.number(2);
      if (!second) return false;
      date.second = *second;
      date.last = DatePart::second;
      if (scanner.take('.')) {
        const std::string_view all = scanner.digits();
        for (std::size_t i = 0; i < 9; ++i)
          date.nanosecond = 10 * date.nanosecond + (i < all.size() ? all[i] - '0' : 0);
        date.last = all.size() <= 3   ? DatePart::millisecond
                    : all.size() <= 6 ? DatePart::microsecond
                                      : DatePart::nanosecond;
      }
    }
  }
  const bool is_end_of_day = date.hour == 24 && date.minute == 0 && date.second == 0;
  return (date.hour < 24 || is_end_of_day) && date.minute < 60 && date.second <= 60;
}

/// Reads an offset from UTC. @returns whether the rest of the text is an offset or empty
bool read_offset(Scanner& scanner, Date& date) {
  scanner.skip_blanks();
  if (scanner.take('Z') || scanner.take_word("UTC") || scanner.take_word("GMT") ||
      scanner.is_at_end()) {
    scanner.skip_blanks();
    return scanner.is_at_end();
  }
  const bool is_west = scanner.take('-');
  if (!is_west && !scanner.take('+') && !scanner.has_digit()) return false;
  const std::string_view digits = scanner.digits();
  if (digits.empty() || digits.size() > 4) return false;
  int number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  int minutes = digits.size() > 2 ? number / 100 * 60 + number % 100 : number * 60;
  if (scanner.take(':')) {
    const auto more = scanner.number(2);
    if (!more || digits.size() > 2) return false;
    minutes += *more;
  }
  scanner.skip_blanks();
  date.offset = (is_west ? -60 : 60) * minutes;
  return scanner.is_at_end() && minutes < 24 * 60;
}

/// Converts a day and a number of seconds to ns since the beginning of 1970 in the calendar.
Nanoseconds nanoseconds_of(Calendar calendar, const Day& day, Index seconds) {
  return (Nanoseconds{number_of(calendar, day)} * seconds_of_day + seconds) * one_second;
}

/// Converts a day and a time of day in UTC to ns since the beginning of 1970; leap seconds are
/// counted only in the calendar gps.
Nanoseconds time_at(Calendar calendar, const Day& day, Index seconds) {
  const Nanoseconds time = nanoseconds_of(calendar, day, seconds);
  return calendar == Calendar::gps ? gps_of_utc(time) : time;
}

/// Returns the first day of the next month or, with `whole_year`, of the next year.
Day next_first(Calendar calendar, Day day, bool whole_year) {
  day.day = 1;
  day.month = whole_year ? 1 : day.month % 12 + 1;
  if (day.month == 1) ++day.year;
  if (!has_day(calendar, day)) ++day.year;  // the calendar may have no year 0
  return day;
}

}  // namespace

std::optional<Date> Date::parse(const std::string& text) {
  Scanner scanner(text);
  Date date;
  const bool is_negative = scanner.take('-');
  if (!is_negative) scanner.take('+');
  const auto year = scanner.number(6);
  if (!year) return std::nullopt;
  date.day = {is_negative ? -Index{*year} : Index{*year}, 1, 1};
  for (int* const part : {&date.day.month, &date.day.day}) {
    if (!scanner.take('-')) break;
    const auto number = scanner.number(2);
    if (!number) return std::nullopt;
    *part = *number;
    date.last = part == &date.day.month ? DatePart::month : DatePart::day;
  }
  if (scanner.is_at_end()) return date;
  if (date.last != DatePart::day) return std::nullopt;
  if (!scanner.take('T')) scanner.skip_blanks();
  if (scanner.has_digit() && !read_time(scanner, date)) return std::nullopt;
  if (!read_offset(scanner, date)) return std::nullopt;
  return date;
}

std::optional<Nanoseconds> begin_of(const Date& date, Calendar calendar) {
  if (!has_day(calendar, date.day)) return std::nullopt;
  const Index minutes = 60 * Index{date.hour} + date.minute, second = std::min(date.second, 59);
  return time_at(calendar, date.day, 60 * minutes + second - date.offset) +
         (date.second - second) * one_second + date.nanosecond;
}

std::optional<Nanoseconds> end_of(const Date& date, Calendar calendar) {
  const auto begin = begin_of(date, calendar);
  if (!begin) return std::nullopt;
  const auto seconds_later = [&](Index seconds) {
    Date later = date;
    later.offset -= static_cast<int>(seconds);
    return begin_of(later, calendar);
  };
  switch (date.last) {
    case DatePart::year:
    case DatePart::month:
      return time_at(calendar, next_first(calendar, date.day, date.last == DatePart::year),
                     -date.offset);
    case DatePart::day:
      return seconds_later(seconds_of_day);
    case DatePart::hour:
      return seconds_later(3600);
    case DatePart::minute:
      return seconds_later(60);
    case DatePart::second:
      return *begin + one_second;
    case DatePart::millisecond:
      return *begin + 1'000'000;
    case DatePart::microsecond:
      return *begin + 1'000;
    case DatePart::nanosecond:
      break;
  }
  return *begin + 1;
}

std::string date_text(Nanoseconds time, Calendar calendar) {
  const bool is_gps = calendar == Calendar::gps;
  const UtcOfGps utc = is_gps ? utc_of_gps(time) : UtcOfGps{time};
  const Nanoseconds all = utc.utc / one_second - (utc.utc % one_second < 0 ? 1 : 0);
  const auto nanoseconds = static_cast<Index>(utc.utc - all * one_second);
  const auto days = static_cast<Index>(all / seconds_of_day - (all % seconds_of_day < 0 ? 1 : 0));
  const auto seconds = static_cast<Index>(all - Nanoseconds{days} * seconds_of_day);
  const Day day = day_of(calendar, days);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", day.year, day.month, day.day,
                  seconds / 3600, seconds / 60 % 60, seconds % 60 + (utc.is_leap_second ? 1 : 0));
  if (nanoseconds == 0) return text;
  text += fmt::format(".{:09}", nanoseconds);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace stencil::storage

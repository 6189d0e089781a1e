#include "io/metadata/time_scale.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "io/metadata/date.hpp"
#include "io/metadata/leap_seconds.hpp"
#include "io/metadata/unit.hpp"

namespace stencil::storage {
namespace {

constexpr Index ns_of_day = 86'400'000'000'000;
constexpr double longest = 1e26;    // ns; about 3e9 years
constexpr double rounding = 1e-12;  // relative error of the factors of UDUNITS

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The parts of a text such as `days since 1-1-1`: the unit `days` and the reference date `1-1-1`.
/// `reference` is empty if there is no date.
struct UnitsText {
  std::string unit, reference;
  bool has_reference = false;

  explicit UnitsText(const std::string& units) : unit(units) {
    const std::size_t since = lower(units).find(" since ");
    if (since == units.npos) return;
    has_reference = true;
    unit = units.substr(0, since);
    const std::size_t first = units.find_first_not_of(' ', since + 7);
    reference =
        first == units.npos ? "" : units.substr(first, units.find_last_not_of(' ') + 1 - first);
  }
};

/// Returns the fraction with the least denominator that equals a number up to rounding.
std::optional<TimeUnit> fraction_of(double number) {
  constexpr double most = 1e17, most_denominator = 1e9;  // 1e9: attoseconds
  double rest = number;
  Index p = 1, p_before = 0, q = 0, q_before = 1;  // convergents of the continued fraction
  for (int i = 0; i < 20 && rest < most; ++i) {
    const double whole = std::floor(rest);
    if (whole * static_cast<double>(p) > most || whole * static_cast<double>(q) > most_denominator)
      break;
    p_before = std::exchange(p, static_cast<Index>(whole) * p + p_before);
    q_before = std::exchange(q, static_cast<Index>(whole) * q + q_before);
    if (p > 0 &&
        std::abs(static_cast<double>(p) / static_cast<double>(q) - number) <= rounding * number)
      return TimeUnit{p, q};
    if (rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

/// Parses a unit in the notation of UDUNITS or in another common spelling: `mins`, `D`.
std::optional<Unit> unit_spelled(const std::string& text) {
  if (auto unit = Unit::parse(text)) return unit;
  const std::string small = lower(text);
  if (auto unit = Unit::parse(small)) return unit;
  return small.size() > 2 && small.back() == 's' ? Unit::parse(small.substr(0, small.size() - 1))
                                                 : std::nullopt;
}

/// Units whose length depends on the calendar.
enum class CalendarUnit { month, year, common_year };

std::optional<CalendarUnit> calendar_unit_of(const std::string& text) {
  const std::string word = lower(text);
  for (const char* name : {"month", "months", "mon"})
    if (word == name) return CalendarUnit::month;
  for (const char* name : {"year", "years", "yr", "yrs", "a"})
    if (word == name) return CalendarUnit::year;
  for (const char* name : {"common_year", "common_years"})
    if (word == name) return CalendarUnit::common_year;
  return std::nullopt;
}

std::optional<TimeUnit> unit_in(CalendarUnit unit, const std::string& calendar_name) {
  const auto calendar = calendar_of(calendar_name);
  if (unit == CalendarUnit::month && calendar == Calendar::days_360)
    return TimeUnit{30 * ns_of_day, 1};
  if (unit == CalendarUnit::common_year && calendar == Calendar::noleap)
    return TimeUnit{365 * ns_of_day, 1};
  return std::nullopt;
}

Nanoseconds ceiling(Nanoseconds a, Nanoseconds b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

Index within_64_bits(Nanoseconds number) {
  constexpr Nanoseconds least = std::numeric_limits<Index>::min(),
                        most = std::numeric_limits<Index>::max();
  return static_cast<Index>(std::clamp(number, least, most));
}

}  // namespace

double TimeUnit::seconds() const {
  return static_cast<double>(numerator) / (1e9 * static_cast<double>(denominator));
}

double TimeUnit::rate_of(double step) const {
  return 1e9 * static_cast<double>(denominator) / (std::abs(step) * static_cast<double>(numerator));
}

std::optional<TimeUnit> time_unit_of(const std::string& units, const std::string& calendar) {
  const UnitsText text(units);
  if (text.has_reference)
    if (const auto unit = calendar_unit_of(text.unit)) return unit_in(*unit, calendar);
  const auto unit = unit_spelled(text.unit);
  const auto seconds = unit ? unit->in(*Unit::parse("s")) : std::nullopt;
  return seconds && *seconds > 0 ? fraction_of(*seconds * 1e9) : std::nullopt;
}

std::optional<TimeScale> time_scale_of(const std::string& units, const std::string& calendar) {
  const auto unit = time_unit_of(units, calendar);
  const auto known = calendar_of(calendar);
  if (!unit || !known) return std::nullopt;
  const UnitsText text(units);
  if (!text.has_reference) return TimeScale{*unit, 0, *known, false};
  const auto date = Date::parse(text.reference);
  if (!date || date->last < DatePart::day) return std::nullopt;
  const auto zero = begin_of(*date, *known);
  if (!zero) return std::nullopt;
  return TimeScale{*unit, *zero, *known, true};
}

std::optional<Nanoseconds> TimeScale::at(const ElementValue& value) const {
  return value.visit([this](auto number) -> std::optional<Nanoseconds> {
    const double ns = static_cast<double>(number) * unit.seconds() * 1e9;
    if (!(std::abs(ns) < longest)) return std::nullopt;
    // the integer part is converted exactly, so that only the fraction is rounded
    Nanoseconds whole = 0;
    double fraction = 0;
    if constexpr (std::is_integral_v<decltype(number)>) {
      whole = number;
    } else {
      whole = static_cast<Nanoseconds>(std::trunc(number));
      fraction = number - std::trunc(number);
    }
    const Nanoseconds product = whole * unit.numerator, quotient = product / unit.denominator;
    const double rest = (static_cast<double>(product % unit.denominator) +
                         fraction * static_cast<double>(unit.numerator)) /
                        static_cast<double>(unit.denominator);
    return zero + quotient + std::llround(rest);
  });
}

double TimeScale::value_of(Nanoseconds time) const {
  const Nanoseconds product = (time - zero) * unit.denominator, whole = product / unit.numerator;
  return static_cast<double>(whole) +
         static_cast<double>(product % unit.numerator) / static_cast<double>(unit.numerator);
}

Index TimeScale::first_from(Nanoseconds time) const {
  return within_64_bits(ceiling((time - zero) * unit.denominator, unit.numerator));
}

Index TimeScale::last_before(Nanoseconds time) const {
  return within_64_bits(ceiling((time - zero) * unit.denominator, unit.numerator) - 1);
}

TimeScale gps_scale() {
  return {TimeUnit{}, gps_zero, Calendar::gps, true};
}

}  // namespace stencil::storage

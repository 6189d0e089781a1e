#include "io/read/range_limits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/metadata/date.hpp"
#include "io/read/coordinates.hpp"

namespace stencil::storage {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// Returns whether a text is an integer of four digits, which is a year if the numbers have a
/// reference date.
bool is_year(const std::string& text) {
  return text.size() == 4 && text.find_first_not_of("0123456789") == text.npos;
}

std::optional<ElementValue> number_in(const std::string& text) {
  try {
    return parse_element_value(text);
  } catch (const WordsError&) {
    return std::nullopt;
  }
}

/// Parses one limit of a range.
/// @param clock  unit and reference date of a time axis; std::nullopt if the unit of the scale is
///               not a unit of time
/// @param units  units of the scale, for the message
Limit limit_of(const std::string& text, const std::optional<TimeScale>& clock,
               const std::string& units, const CoordinateRange& range) {
  if (text.empty()) return {};
  const auto number = number_in(text);
  if (number && !number->is_nan() && !(clock && clock->has_reference && is_year(text)))
    return {number, {}, {}};
  const auto date = Date::parse(text);
  if (!clock)
    throw WordsError(fmt::format(
        "{}: {} is not a number, and {}", words_of(range), shortened(text),
        date && !units.empty() ? fmt::format("the scale's units, {}, do not count time from a "
                                             "date of its calendar",
                                             shortened(units))
                               : std::string("the scale has no unit of time")));
  if (!date)
    throw WordsError(fmt::format(
        "{}: {} is neither a number nor a date, write for example 2024-05-01T00:10 or 2024-05",
        words_of(range), shortened(text)));
  const auto begin = begin_of(*date, clock->calendar);
  if (!begin)
    throw WordsError(fmt::format("{}: the calendar {} has no day {}", words_of(range),
                                 name_of(clock->calendar), shortened(text)));
  return {{}, begin, end_of(*date, clock->calendar)};
}

/// Returns the two limits in ascending order. They are exchanged if the axis decreases and the
/// range would otherwise be empty. `2000-03 .. 2000` ends at the end of the year 2000.
Limits in_order(Limit first, Limit last, const std::optional<TimeScale>& clock, bool falls) {
  const auto place = [&](const Limit& limit, bool is_end) {
    return limit.number ? limit.number->to_double()
                        : clock->value_of(is_end ? *limit.end : *limit.begin);
  };
  if (falls && !first.is_open() && !last.is_open() && place(first, false) > place(last, true))
    std::swap(first, last);
  return {first, last};
}

/// Returns the least integer that is not less than a number, clipped to 64 bits.
Index ceiling(const ElementValue& number) {
  constexpr Index least = std::numeric_limits<Index>::min(),
                  most = std::numeric_limits<Index>::max();
  if (number.holds<Index>()) return number.as<Index>();
  const double up = std::ceil(number.to_double());
  return up >= 0x1p63 ? most : up < -0x1p63 ? least : static_cast<Index>(up);
}

/// Returns the indices of integer coordinates in a range.
std::optional<Interval> integers_within(hid_t scale, Index extent, const Limits& limits,
                                        const std::optional<TimeScale>& clock) {
  const auto& [low, high] = limits;
  Index from = std::numeric_limits<Index>::min(), to = std::numeric_limits<Index>::max();
  if (low.number) from = ceiling(*low.number);
  if (low.begin) from = clock->first_from(*low.begin);
  if (high.number) {
    const Index up = ceiling(*high.number);
    to = high.number->holds<Index>() || up == to ? up : up - 1;
  }
  if (high.end) to = clock->last_before(*high.end);
  return ordered_within(scale, extent, from, to);
}

/// Returns the indices of floating-point coordinates in a range. A limit is rounded to the nearest
/// number of the scale's type. A point whose time is about one unit in the last place (float64)
/// below the lower limit is still included, because the program that wrote the time may have
/// rounded it. An upper limit that is a time is lowered by the same amount.
std::optional<Interval> reals_within(hid_t scale, Index extent, const Limits& limits,
                                     const std::optional<TimeScale>& clock) {
  const auto number = [&](const ElementValue& value) {
    return nearest_stored(scale, value.to_double());
  };
  const auto below = [&](Nanoseconds time) {
    const double value = nearest_stored(scale, clock->value_of(time));
    return value - std::ldexp(std::abs(value), -52);
  };
  const auto& [low, high] = limits;
  double from = -none, to = none;
  if (low.number) from = number(*low.number);
  if (low.begin) from = below(*low.begin);
  if (high.number) to = number(*high.number);
  // if the type has no number inside the period, the number nearest to the beginning of the period
  // is included
  if (high.end)
    to = std::max(std::nextafter(below(*high.end), -none),
                  nearest_stored(scale, clock->value_of(*high.begin)));
  return ordered_within(scale, extent, from, to);
}

}  // namespace

Limits limits_of(const CoordinateRange& range, const std::optional<TimeScale>& clock,
                 const std::string& units, bool falls) {
  return in_order(limit_of(range.low, clock, units, range),
                  limit_of(range.high, clock, units, range), clock, falls);
}

std::optional<Interval> points_within(hid_t scale, Index extent, const Limits& limits,
                                      const std::optional<TimeScale>& clock) {
  return holds_integers(scale) ? integers_within(scale, extent, limits, clock)
                               : reals_within(scale, extent, limits, clock);
}

std::string words_of(const CoordinateRange& range) {
  return fmt::format("input.select = {} {} .. {}", shortened(range.name), shortened(range.low),
                     shortened(range.high));
}

}  // namespace stencil::storage

#pragma once

#include <optional>
#include <string>

#include "io/hdf5/element_value.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/metadata/calendar.hpp"

namespace stencil::storage {

/// A unit of time. Its length is stored exactly as a fraction, `numerator / denominator`
/// nanoseconds.
struct TimeUnit {
  Index numerator = 1'000'000'000, denominator = 1;

  double seconds() const;
  /// Returns the number of samples per second if neighbouring points are `step` units apart. @param
  /// step  not 0; its sign is ignored
  double rate_of(double step) const;
};

/// Returns the time unit of a text such as `s`, `msec` or `hours since 1970-01-01`, parsed by
/// UDUNITS. As in cftime, a month has 30 days in the calendar 360_day, and a common_year has 365
/// days in noleap. In other calendars the length of months and years varies, so `months since
/// 2000-01-01` is rejected.
///
/// @param calendar  the attribute `calendar`, or empty
/// @returns std::nullopt for other units
/// @throws StorageError  like Unit::parse()
std::optional<TimeUnit> time_unit_of(const std::string& units, const std::string& calendar = "");

/// The unit, origin and calendar of times that are given as numbers.
struct TimeScale {
  TimeUnit unit{};
  Nanoseconds zero = 0;  ///< time of the number 0, in ns since 1970 in the calendar
  Calendar calendar = Calendar::standard;
  bool has_reference = false;  ///< whether the file gives a reference date: `since 1970-01-01`

  /// Returns the time of a number, in ns since 1970 in the calendar. @returns std::nullopt for NaN
  /// and for times more than about 3 * 10^9 years from `zero`
  std::optional<Nanoseconds> at(const ElementValue& value) const;
  /// Returns the number that represents a time, rounded to the nearest double.
  double value_of(Nanoseconds time) const;
  /// The least integer whose time is not before `time`, and the greatest integer whose time is
  /// before `time`; both limited to the range of 64 bits.
  Index first_from(Nanoseconds time) const;
  Index last_before(Nanoseconds time) const;
};

/// Parses `seconds since 1970-01-01`, `ms` and similar texts. Without a date the origin is 1970,
/// and the caller decides what such numbers mean.
///
/// @returns std::nullopt for other units, for unknown calendars, and for dates that do not exist in
///          the calendar
/// @throws StorageError  like Unit::parse()
std::optional<TimeScale> time_scale_of(const std::string& units, const std::string& calendar = "");

/// Returns the scale of GPS time in seconds since 1980-01-06T00:00:00 UTC, including leap seconds,
/// see leap_seconds.hpp.
TimeScale gps_scale();

}  // namespace stencil::storage

#pragma once

#include <optional>
#include <string>

#include "io/hdf5/element_value.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/metadata/calendar.hpp"

namespace stencil::storage {

/// A unit of time, exactly: `numerator / denominator` nanoseconds.
struct TimeUnit {
  Index numerator = 1'000'000'000, denominator = 1;

  double seconds() const;
  /// Samples per second if neighbours are this number of units apart. @param step  not 0; its sign
  /// is ignored
  double rate_of(double step) const;
};

/// The unit of `s`, `msec`, `hours since 1970-01-01` ... as UDUNITS knows it. As in cftime, a month
/// has 30 days in the calendar 360_day, and a common_year has 365 days in noleap. In other
/// calendars the length of months and years varies, so `months since 2000-01-01` is refused there.
///
/// @param calendar  the attribute of that name, or empty
/// @returns nothing for other units
/// @throws StorageError  as Unit::parse()
std::optional<TimeUnit> time_unit_of(const std::string& units, const std::string& calendar = "");

/// How numbers count time.
struct TimeScale {
  TimeUnit unit{};
  Nanoseconds zero = 0;  ///< since 1970 in the calendar, of the number 0
  Calendar calendar = Calendar::standard;
  bool has_reference = false;  ///< whether the file says so: `since 1970-01-01`

  /// The time of a number, in ns since 1970 in the calendar. @returns nothing for NaN and for
  /// numbers beyond 10^9 years
  std::optional<Nanoseconds> at(const ElementValue& value) const;
  /// The number of a time; nearest double.
  double value_of(Nanoseconds time) const;
  /// The least integer whose time is not before this one, and the greatest one whose time is before
  /// it; limited to the range of 64 bits.
  Index first_from(Nanoseconds time) const;
  Index last_before(Nanoseconds time) const;
};

/// The scale of `seconds since 1970-01-01`, `ms` ... (without a date its zero is 1970). The caller
/// decides what a number without a reference means.
///
/// @returns nothing for other units, for unknown calendars, and for dates that the calendar does
///          not have
/// @throws StorageError  as Unit::parse()
std::optional<TimeScale> time_scale_of(const std::string& units, const std::string& calendar = "");

/// Seconds of GPS time: of 1980-01-06T00:00:00 UTC, all counted, see leap_seconds.hpp.
TimeScale gps_scale();

}  // namespace stencil::storage

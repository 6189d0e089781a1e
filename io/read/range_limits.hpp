#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "framework/grid/box.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {

/// One limit of a range: a number, the period of a date, or empty (no limit).
struct Limit {
  std::optional<ElementValue> number;
  std::optional<Nanoseconds> begin, end;  ///< beginning and end of the period

  bool is_open() const { return !number && !begin; }
};

struct Limits {
  Limit low, high;
};

/// Parses the limits of a range. A limit is a number in the unit of the scale or, on a time axis, a
/// date. As in xarray, a date denotes its whole period: 2000 is the whole year. A text of exactly
/// four digits is a year if the numbers of the scale have a reference date.
///
/// @param clock  unit and reference date of a time axis; std::nullopt if the unit of the scale is
///               not a unit of time, or if the reference date is unknown
/// @param units  units of the scale, for messages
/// @param falls  whether the scale's values decrease; the larger limit may then also be written
///               first
/// @throws WordsError  a limit is neither a number nor a date, or is a date that does not exist in
///                     the calendar
Limits limits_of(const CoordinateRange& range, const std::optional<TimeScale>& clock,
                 const std::string& units, bool falls);

/// Returns the indices of a scale's values within limits; std::nullopt unless the values are
/// strictly monotonic. Integers are compared as integers.
///
/// @param scale  a scale that ends_of() can read
/// @param clock  see limits_of()
std::optional<Interval> points_within(hid_t scale, Index extent, const Limits& limits,
                                      const std::optional<TimeScale>& clock);

/// Formats a range for messages: `input.select = time 2000 .. 2001`.
std::string words_of(const CoordinateRange& range);

}  // namespace stencil::storage

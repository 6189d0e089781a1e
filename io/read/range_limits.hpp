#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "framework/grid/box.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/select.hpp"

namespace stencil::storage {

/// One limit of a range: a number, the period that a date stands for, or (empty) none.
struct Limit {
  std::optional<ElementValue> number;
  std::optional<Nanoseconds> begin, end;  ///< of the period

  bool is_open() const { return !number && !begin; }
};

struct Limits {
  Limit low, high;
};

/// The limits of a range: numbers in the unit of the scale; or, on an axis of time, dates, which
/// mean their whole period, as in xarray. Four digits alone are a year if the numbers of the scale
/// count from a date.
///
/// @param clock  of an axis of time; std::nullopt: the scale has no unit of time, or its dates are
///               unknown
/// @param units  the units of the scale, for messages
/// @param falls  whether its values decrease: then the range may be written in this order, too
/// @throws WordsError  a limit that is neither a number nor a date, or a date that the calendar
///                     does not have
Limits limits_of(const CoordinateRange& range, const std::optional<TimeScale>& clock,
                 const std::string& units, bool falls);

/// The indices of a scale's values within limits; nothing unless the values increase or decrease
/// throughout. Integers are compared as integers.
///
/// @param scale  one that ends_of() reads
/// @param clock  as for limits_of()
std::optional<Interval> points_within(hid_t scale, Index extent, const Limits& limits,
                                      const std::optional<TimeScale>& clock);

/// `input.select = time 2000 .. 2001`, for messages.
std::string words_of(const CoordinateRange& range);

}  // namespace stencil::storage

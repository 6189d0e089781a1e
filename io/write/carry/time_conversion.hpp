#pragma once

#include <hdf5.h>

#include <optional>

#include "framework/grid/shape.hpp"
#include "io/metadata/time_scale.hpp"

namespace stencil::storage {

/// How the numbers of one dataset of coordinates become numbers in the unit of another one.
struct TimeConversion {
  bool is_needed = false;  ///< the units differ
  TimeScale from, to;
};

/// @returns nothing if the units differ, and are not both units of time of one calendar, either
///          with or without a date that they count from
std::optional<TimeConversion> time_conversion(hid_t from, hid_t to);

/// A number in the other unit: Index or double. Nothing if it is not a whole number there, or not a
/// time.
template <class T>
std::optional<T> converted(T number, const TimeConversion& by);

}  // namespace stencil::storage

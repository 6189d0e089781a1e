#pragma once

#include <hdf5.h>

#include <optional>

#include "framework/grid/shape.hpp"
#include "io/metadata/time_scale.hpp"

namespace stencil::storage {

/// Conversion of the numbers of one dataset of coordinates to the unit of another dataset.
struct TimeConversion {
  bool is_needed = false;  ///< the units differ
  TimeScale from, to;
};

/// Returns the conversion from the unit of one dataset to the unit of another dataset.
/// @returns std::nullopt if the units differ, unless both are units of time of the same calendar,
///          either both with or both without a reference date
std::optional<TimeConversion> time_conversion(hid_t from, hid_t to);

/// Converts a number (Index or double) to the other unit. Returns std::nullopt if the converted
/// number is not a time or, for Index, not an integer.
template <class T>
std::optional<T> converted(T number, const TimeConversion& by);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <utility>

#include "framework/grid/box.hpp"
#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Seconds in a unit of time: `s`, `seconds`, `ms`, `hours since 1970-01-01` ...; 0 for other
/// units.
double unit_in_seconds(const std::string& unit);

/// Step of a coordinate variable, in its own unit: nothing unless it is numeric, one-dimensional,
/// of the given length (2 at least), and evenly spaced to a thousandth of the step and its own
/// rounding.
std::optional<double> even_step(hid_t coordinate, Index length);

/// The first and the last value of a coordinate variable, in its own unit: nothing unless it is
/// numeric, stored in the file itself, one-dimensional and of the given length.
std::optional<std::pair<double, double>> ends_of(hid_t coordinate, Index length);

/// The indices of the values in `[low, high]`; nothing unless the values, of a dataset as for
/// ends_of(), rise or fall all along.
std::optional<Interval> ordered_within(hid_t coordinate, Index length, double low, double high);

/// Whether the dataset is one-dimensional and has this many points.
bool has_length(hid_t dataset, Index length);

/// Whether the points are stored in the file itself and fault_of_chunks() finds nothing.
///
/// @throws StorageError  the file cannot be read
bool is_stored_here(hid_t dataset);

/// The value of a numeric dataset that holds exactly one.
std::optional<double> single_number(hid_t dataset);

}  // namespace stencil::storage

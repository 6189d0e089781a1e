#pragma once

#include <optional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Finds the recording times of the points of a dataset, from the first of these sources that has
/// times:
///
///   1. a dimension scale with a unit of time, with or without a reference (`seconds since ...`)
///   2. the times and first times of the conventions that the file follows (conventions.hpp), in
///      their order, if they have a reference date or are GPS times
///
/// @param facts  `dims` and `sampling_rate` must be set; if a source has only the time of the first
///               point, the time of the last point is computed from the rate
std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts);

/// Parses a date with or without a time of day in the standard calendar, such as
/// `2024-05-01T00:10:00.25+02:00`. Returns the time in ns since 1970; std::nullopt for other texts.
std::optional<Nanoseconds> time_of(const std::string& text);

}  // namespace stencil::storage

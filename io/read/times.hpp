#pragma once

#include <optional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// When the points of a dataset were recorded, from the first of these sources that gives it:
///
///   1. a dimension scale with a unit of time, with or without a reference (`seconds since ...`)
///   2. the times and first times of the conventions that the file follows (conventions.hpp), in
///      their order, which count from a date or are GPS times
///
/// @param facts  `dims`, `sampling_rate` are set; if a source gives the time of the first point
///               only, the time of the last one is computed from the rate
std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts);

/// ns since 1970 of a date with or without a time of day, in the standard calendar:
/// `2024-05-01T00:10:00.25+02:00`; nothing for other texts.
std::optional<Nanoseconds> time_of(const std::string& text);

}  // namespace stencil::storage

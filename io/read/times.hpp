#pragma once

#include <optional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// When the points of a dataset were taken, from the first of these sources that tells it:
///
///   1. a dimension scale with a unit of time, with or without a reference (`seconds since ...`)
///   2. a dataset of times beside it: `RawDataTime` of `RawData` (ProdML, in microseconds)
///   3. attribute PartStartTime (ProdML)
///   4. attributes of one signal: Xstart (GWOSC), x0 with xunit (gwpy), start_time with delta_t
///      (PyCBC). These count GPS time
///   5. a scalar dataset `time`, in seconds, in the group `header` beside the dataset (OptoDAS)
///   6. a dataset `time` or `t` with a unit of time beside the dataset, as long as one axis
///
/// @param facts  `dims`, `sampling_rate` are set; a source that only tells when the first point was
///               taken gives the last one's time from the rate
std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts);

/// ns since 1970 of a date with or without a time of day, in the standard calendar:
/// `2024-05-01T00:10:00.25+02:00`; nothing for other texts.
std::optional<Nanoseconds> time_of(const std::string& text);

}  // namespace stencil::storage

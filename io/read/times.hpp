#pragma once

#include <optional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// How a file counts time.
struct Clock {
  double seconds = 1;  ///< of its unit
  Index zero = 0;      ///< ns since 1970 of its value 0

  /// ns since 1970; nothing beyond 64 bits.
  std::optional<Index> at(double value) const;
  /// The value at that time, in ns since 1970.
  double value_of(Index time) const;
};

/// The clock of `seconds since 1970-01-01`, `ms` ...; nothing for other units.
std::optional<Clock> clock_of(const std::string& units);

/// When the points of a dataset were taken, from the first of these sources that tells it:
///
///   1. a dimension scale with a unit of time, with or without a reference (`seconds since ...`)
///   2. a dataset of times beside it: `RawDataTime` of `RawData` (ProdML, in microseconds)
///   3. attribute PartStartTime (ProdML)
///   4. attributes Xstart and Xspacing (one axis only)
///   5. a scalar dataset `time`, in seconds, in the group `header` beside the dataset (OptoDAS)
///   6. a dataset `time` or `t` with a unit of time beside the dataset, as long as one axis
///
/// @param facts  `dims`, `sampling_rate` are set; a source that only tells when the first point was
///               taken gives the last one's time from the rate
std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts);

/// ns since 1970 of a date with or without a time of day: `2024-05-01T00:10:00.25+02:00`; nothing
/// for other texts and years before 1678 or after 2261.
std::optional<Index> time_of(const std::string& text);

/// `2024-05-01T00:10:00.25`, of ns since 1970.
std::string text_of(Index time);

}  // namespace stencil::storage

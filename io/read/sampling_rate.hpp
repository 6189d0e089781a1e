#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Fills in `sampling_rate`, `sampling_source` and `time_source` of the facts, one per axis, from
/// the first of these sources that gives the rate of an axis:
///
///   1. an evenly spaced dimension scale with a unit of time
///   2. dataset attribute Xspacing in seconds or Xunits, dx in xunit (gwpy), delta_t in seconds
///      (PyCBC); one axis only
///   3. OutputDataRate, SamplingFrequency ... in Hz, in the dataset or the nearest group above it
///   4. a scalar dataset dt, in seconds, in the group `header` beside the dataset
///   5. an evenly spaced dataset `time` or `t` beside the dataset, as long as one axis
///   6. PulseRate in Hz, in the dataset or the nearest group above it
void find_sampling_rate(const DatasetPath& path, DatasetFacts& facts);

/// The time axis, according to the attribute `Dimensions` or the labels and names of dimension
/// scales.
std::optional<int> named_time_axis(hid_t dataset, int rank);

/// A member of a group, reached through a hard link; invalid if there is none of that kind.
Handle member(hid_t group, const std::string& name, H5I_type_t kind);

/// The only axis that has as many points as the one-dimensional dataset.
std::optional<int> axis_as_long_as(hid_t dataset, const std::vector<Index>& dims);

/// Names of attributes of one signal that hold its spacing, of those with the unit (none: seconds),
/// and whether the spacing is one of time only where that unit is given.
struct SpacingNames {
  const char *spacing, *units;
  bool needs_units;
};
inline constexpr std::array<SpacingNames, 3> spacing_names{
    {{"Xspacing", "Xunits", false}, {"dx", "xunit", true}, {"delta_t", "", false}}};

/// Names of attributes that hold a sampling rate in Hz.
inline constexpr std::array<const char*, 6> rate_names{"OutputDataRate", "SamplingFrequency",
                                                       "SamplingRate",   "sampling_frequency",
                                                       "sampling_rate",  "sample_rate"};

}  // namespace stencil::storage

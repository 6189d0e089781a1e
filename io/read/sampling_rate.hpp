#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Fills in `sampling_rate`, `sampling_source` and `time_source` of the facts, one per axis, from
/// the first of these sources that gives the rate of an axis:
///
///   1. an evenly spaced dimension scale with a unit of time
///   2. the rates, spacings and times of the conventions that the file follows (conventions.hpp),
///      in their order
///   3. attributes of the dataset, then of the nearest group above it, whose names mean a rate in
///      any file (common_names.hpp) and give its unit
///   4. the rate of the instrument's pulses
void find_sampling_rate(const DatasetPath& path, DatasetFacts& facts);

/// The unit of a field according to the file: seconds if the attribute that names it is absent;
/// without `GPS`.
std::string unit_in(hid_t object, const Field& field);

/// A member of a group, reached through a hard link; invalid if there is none of that kind.
Handle member(hid_t group, const std::string& name, H5I_type_t kind);

/// The only axis that has as many points as the one-dimensional dataset.
std::optional<int> axis_as_long_as(hid_t dataset, const std::vector<Index>& dims);

}  // namespace stencil::storage

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/metadata/conventions.hpp"

namespace stencil::storage {

/// Sets `sampling_rate`, `sampling_source` and `time_source` of the facts, one entry per axis. The
/// rate of an axis comes from the first of these sources that gives a rate:
///
///   1. an evenly spaced dimension scale with a unit of time
///   2. the rates, spacings and times of the conventions that the file follows (conventions.hpp),
///      in their order
///   3. attributes of the dataset, then of the nearest group above it, whose names mean a rate in
///      any file (common_names.hpp) and include the unit of the rate
///   4. the pulse rate of the instrument
void find_sampling_rate(const DatasetPath& path, DatasetFacts& facts);

/// Returns the unit of a field in the file, without `GPS`; seconds if the attribute that contains
/// the unit is absent.
std::string unit_in(hid_t object, const Field& field);

/// Returns the member of a group to which a hard link of this name leads. The handle is invalid if
/// there is no such member, or if its object type is not `kind`.
Handle member(hid_t group, const std::string& name, H5I_type_t kind);

/// Returns the axis that is as long as a one-dimensional dataset; std::nullopt unless there is
/// exactly one such axis.
std::optional<int> axis_as_long_as(hid_t dataset, const std::vector<Index>& dims);

}  // namespace stencil::storage

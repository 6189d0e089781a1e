#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies datasets with times and coordinates of the points that are next to the input's dataset,
/// that a convention describes and that are not dimension scales. Examples are `RawDataTime` next
/// to `RawData` (ProdML; its copy next to an output `Filtered` is `FilteredTime`), `time`,
/// `distance` and `_coord_time` (DASDAE). The copies have values at the output's points and
/// adjusted attributes.
///
/// @param group  group of the output's dataset
/// @param skipped  receives the names of times that cannot be read or extrapolated, or that may
///                 belong to several axes
void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped);

}  // namespace stencil::storage

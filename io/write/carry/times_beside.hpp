#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Carries over times and coordinates of the points that are in a dataset beside the input's, not
/// in a dimension scale, where a convention describes them: `RawDataTime` beside `RawData` (ProdML;
/// `FilteredTime` beside an output `Filtered`), `time`, `distance`, `_coord_time` (DASDAE). The
/// output has them at its own points, with attributes adjusted to these.
///
/// @param group  of the output's dataset
/// @param skipped  takes those that cannot be read or continued, or may be of several axes
void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped);

}  // namespace stencil::storage

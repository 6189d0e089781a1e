#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Carries over times and coordinates of the points that are in a dataset next to the input's, and
/// not in a dimension scale, if a convention describes them: `RawDataTime` next to `RawData`
/// (ProdML; `FilteredTime` next to an output `Filtered`), `time`, `distance`, `_coord_time`
/// (DASDAE). The output has them at its points, with adjusted attributes.
///
/// @param group  the group of the output's dataset
/// @param skipped  receives the names of times that cannot be read or continued, or may belong to
///                 several axes
void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Creates a dimension scale for the new axis of stacked datasets. The values come from a
/// coordinate that is a single number and is stored next to each dataset, under the same name. Such
/// a coordinate is a dimension scale, a variable that CF's `coordinates` names, `time` or `t`. A
/// coordinate with a unit of time is preferred; if no coordinate has such a unit, there must be
/// exactly one coordinate. Without a coordinate, the times of the datasets' first points are used
/// if attributes contain them. Times are converted to the unit of the first dataset.
///
/// @param input    the first of the datasets
/// @param group    group in which the scale is created
/// @param dataset  dataset of the output
/// @param skipped  receives the name of a coordinate that not all datasets have
/// @throws StorageError
void make_stacked_scale(const DatasetPath& input, hid_t group, hid_t dataset,
                        const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage

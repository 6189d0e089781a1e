#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Creates a dimension scale for the new axis of stacked datasets, if each dataset has a coordinate
/// of the same name next to it that contains a single number: a dimension scale, a variable that
/// CF's `coordinates` names, `time` or `t`. A coordinate with a unit of time is preferred; without
/// one, a coordinate is used only if there is exactly one. Times are converted to the unit of the
/// first dataset.
///
/// @param input    the first of the datasets
/// @param group    group in which the scale is created
/// @param dataset  dataset of the output
/// @param skipped  receives the name of a coordinate that not all datasets have
/// @throws StorageError
void make_stacked_scale(const DatasetPath& input, hid_t group, hid_t dataset,
                        const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage

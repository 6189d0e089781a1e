#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Gives the new axis of stacked datasets a dimension scale, where beside each dataset lies one of
/// the same name with a single number that is a coordinate: a dimension scale, a variable that CF's
/// `coordinates` names, `time` or `t`. One with a unit of time is taken first; of others only a
/// single one. Times are converted to the unit of the first dataset.
///
/// @param input    the first of the datasets
/// @param group    the scale goes there
/// @param dataset  of the output
/// @param skipped  takes a coordinate that not all datasets have
/// @throws StorageError
void make_stacked_scale(const DatasetPath& input, hid_t group, hid_t dataset,
                        const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Carries over the times of the points where they are in a dataset beside the input's, not in a
/// dimension scale: `RawDataTime` beside `RawData` (as ProdML has it; `FilteredTime` beside an
/// output `Filtered`), `time`, `t`. They stand at the points of the output, with attributes
/// adjusted to these.
///
/// @param group  of the output's dataset
/// @param skipped  takes those that cannot be read or continued, or may be of several axes
void carry_times_beside(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                        Skipped& skipped);

}  // namespace stencil::storage

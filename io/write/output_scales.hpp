#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Attaches the dimension scales of the input to the output, at the points of the outputs:
/// coordinates `first::stride`. A scale that several axes share remains a single scale if these
/// axes are sampled alike; names already in use get the axis as suffix. Outputs beyond the edges of
/// the input (extent = full) get extrapolated coordinates where these are evenly spaced, else no
/// scale.
///
/// @param group    parent of the output dataset: the scales go beside it
/// @param dataset  of the output
/// Then removes references to variables that were not copied (drop_absent_variables).
///
/// @param skipped  takes the scales that cannot be read or continued, and those names
void carry_scales(const DatasetPath& input, hid_t group, hid_t dataset, const OutputSpec& spec,
                  Skipped& skipped);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies variables to the group of the output. These are the variables that the attributes
/// `coordinates` and `grid_mapping` of the dataset name, the axes of a group NXdata, and the
/// variables that the attributes `bounds` and `formula_terms` of all these variables and of the
/// scales name. Scalars are copied unchanged. Other variables are copied at the points of the
/// output along the dimensions that they share with the dataset, and completely along other
/// dimensions. A one-dimensional variable with evenly spaced values is extrapolated beyond the
/// edges of the input. Bounds are copied only if all points of the axis are kept. A variable is
/// searched by its name in the dataset's group and in the groups above it.
///
/// @param scales   scales of the output; `bounds` are written to them
/// @param skipped  receives the names of variables that are not copied
/// @throws StorageError
void carry_variables(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                     const std::vector<CarriedScale>& scales, Skipped& skipped);

}  // namespace stencil::storage

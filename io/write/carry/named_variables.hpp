#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/write/carry/skipped.hpp"

namespace stencil::storage {

/// Returns the names of variables that the given attributes of an object contain. If `grid_mapping`
/// contains colons, these are the names before the colons.
std::vector<std::string> names_in(hid_t object, const std::vector<std::string>& attributes);

/// Removes references to missing variables from the attributes of an object of the output (CF:
/// coordinates, grid_mapping, ancillary_variables, cell_measures, formula_terms, bounds and so on).
/// A plain list keeps the names of variables that the output contains; any other attribute is
/// removed if one of its variables is missing.
///
/// @param object  the dataset, a scale, or a group: some programs name the coordinates of a whole
///                file in attributes of a group
/// @param group   parent of the output's dataset; names are searched in this group and in the
///                groups above it
void drop_absent_variables(hid_t object, hid_t group, Skipped& skipped);

}  // namespace stencil::storage

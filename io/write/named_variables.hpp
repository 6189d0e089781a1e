#pragma once

#include <hdf5.h>

#include "io/write/output_attributes.hpp"

namespace stencil::storage {

/// Goes through the attributes of an object of the output that name variables (CF: coordinates,
/// grid_mapping, ancillary_variables, cell_measures, formula_terms). Of a plain list the names that
/// the output holds stay; an attribute whose parts mean nothing alone is removed where one of its
/// variables is missing.
///
/// @param object  the dataset, a scale, or a group: some programs name coordinates of a whole file
///                there
/// @param group   parent of the output's dataset; names are looked for in it and in those above it
void drop_absent_variables(hid_t object, hid_t group, Skipped& skipped);

}  // namespace stencil::storage

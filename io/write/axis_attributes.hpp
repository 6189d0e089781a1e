#pragma once

#include <hdf5.h>

#include "io/write/axis_statements.hpp"
#include "io/write/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Adjusts the attributes of an object of the output that describe points along an axis: counts,
/// spacings, rates, starts, ends. Those that resampling invalidates are adjusted to the output's
/// points if their axis and their meaning are certain, else removed and told.
void mend_axis_attributes(hid_t object, const Described& described, const OutputSpec& spec,
                          Skipped& skipped);

}  // namespace stencil::storage

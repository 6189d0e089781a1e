#pragma once

#include <hdf5.h>

#include <vector>

#include "io/write/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The axes that the attributes of an object may describe, by kind of attribute. If a list has
/// several axes, it is unknown which of them is meant.
struct DescribedAxes {
  std::vector<std::size_t> time;
  std::vector<std::size_t> across;  ///< channels of an acquisition
  std::vector<std::size_t> x;       ///< the only axis, else as `across`
  std::vector<std::size_t> any;     ///< all that are resampled
  Index inputs = 1, outputs = 1;    ///< points of all axes
};

/// Adjusts the attributes of an object of the output that describe points along an axis: counts,
/// spacings, rates, starts, ends. Those that resampling invalidates are adjusted to the output's
/// points if their meaning is certain, else removed.
void mend_axis_attributes(hid_t object, const OutputSpec& spec, const DescribedAxes& axes,
                          Skipped& skipped);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <vector>

#include "io/write/output_attributes.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The axes that attributes of an object may tell of, by what their names say. One axis is sure; of
/// several it may be any.
struct AxesTold {
  std::vector<std::size_t> time;
  std::vector<std::size_t> across;  ///< channels of an acquisition
  std::vector<std::size_t> x;       ///< the only axis, else as `across`
  std::vector<std::size_t> any;     ///< all that are resampled
  Index inputs = 1, outputs = 1;    ///< points of all axes
};

/// Goes through the attributes of an object of the output that tell of points along an axis:
/// counts, spacings, rates, starts, ends. Those that resampling makes untrue are brought to the
/// output's points where it is certain how, else removed.
void mend_axis_attributes(hid_t object, const OutputSpec& spec, const AxesTold& axes,
                          Skipped& skipped);

}  // namespace stencil::storage

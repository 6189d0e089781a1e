#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// A dimension scale of the input, and its copy in the output.
struct CarriedScale {
  haddr_t address = HADDR_UNDEF;  ///< address of the input's scale
  std::size_t axis = 0;  ///< axis of the input's dataset; the first axis if several share the scale
  AxisSampling sampling;
  Handle from, to;
};

/// Attaches the dimension scales of the input to the output, with the coordinates `first::stride`
/// of the output's points. A scale that several axes share remains a single scale if these axes
/// have the same sampling. If a name is already in use, the number of the axis is appended to the
/// name. Output points beyond the edges of the input (extent = full) get extrapolated coordinates
/// if the coordinates are evenly spaced; otherwise the axis gets no scale.
///
/// @param group    group in which the scales are created; if the rest of the file is also copied,
///                 each scale is created at its path in the input
/// @param dataset  dataset of the output
/// @param skipped  receives the names of scales that cannot be read or extrapolated
std::vector<CarriedScale> carry_scales(const DatasetPath& input, hid_t group, hid_t dataset,
                                       const OutputSpec& spec, Skipped& skipped);

/// Marks a dataset of the output as a scale of `count` points, with the title of the input's scale.
void become_scale(hid_t target, hid_t scale, Index count, const std::string& what);

/// Returns whether a scale can be copied and has `points` points.
bool is_scale_of(hid_t scale, Index points);

/// Creates a scale that does not belong to the dataset's axes, with values, attributes and title of
/// the input's scale.
///
/// @param sampling  sampling of the points of the scale
Handle copy_scale(hid_t scale, hid_t group, const std::string& name, const AxisSampling& sampling,
                  Skipped& skipped, const std::string& what);

/// Removes from the scales all references to variables that were not copied
/// (drop_absent_variables), and closes the scales. HDF5 keeps short coordinates in memory until
/// their scale is closed.
void finish_scales(std::vector<CarriedScale> scales, hid_t group, Skipped& skipped);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// A dataset with coordinates of a NeXus signal, in the group of the signal.
struct NexusAxis {
  std::string name;
  std::vector<std::size_t> axes;  ///< axes of the signal, one for each dimension of the coordinates
};

/// Returns the coordinates that a group NXdata names for a dataset: `axes` and `NAME_indices` of
/// the group, or `axes` of the dataset itself in older files. The result is empty if the dataset is
/// not a signal of such a group.
std::vector<NexusAxis> nexus_axes(const DatasetPath& input);

/// Corrects the attributes of the output's group that describe its signal: the signal's name, the
/// names of its axes (a dot for names that the output does not have, and the axis of snapshots or
/// filters in front), and the numbers in `NAME_indices`.
///
/// @param group  group of the output, which has the attributes of the input's group
void adjust_nexus_axes(const DatasetPath& input, hid_t group, const OutputSpec& spec,
                       Skipped& skipped);

}  // namespace stencil::storage

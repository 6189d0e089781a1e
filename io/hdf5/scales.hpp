#pragma once

#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// A dimension scale attached to an axis.
struct Scale {
  Handle dataset;  ///< invalid if the reference is damaged or its target is missing
  std::string path;
};

/// Returns the dimension scales attached to an axis, in the order of attachment. @throws
/// StorageError look-up failed
std::vector<Scale> scales_of(hid_t dataset, int axis);

/// Returns the label of an axis; empty if the axis has no label. @throws StorageError the look-up
/// failed
std::string label_of(hid_t dataset, int axis);

}  // namespace stencil::storage

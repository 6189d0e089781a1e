#pragma once

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The bytes of the datasets that copy_rest() copies, as they are packed in the input, less those
/// of points that the output does not have. Headers, attributes and texts of variable length are
/// not counted.
/// @throws StorageError  the input cannot be read
Index room_of_rest(const DatasetPath& input, const OutputSpec& spec);

}  // namespace stencil::storage

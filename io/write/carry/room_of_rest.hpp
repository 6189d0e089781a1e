#pragma once

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Size in bytes of the datasets that copy_rest() copies, as packed in the input, without the
/// points that the output does not have. Headers, attributes and texts of variable length are not
/// counted.
/// @throws StorageError  the input cannot be read
Index room_of_rest(const DatasetPath& input, const OutputSpec& spec);

}  // namespace stencil::storage

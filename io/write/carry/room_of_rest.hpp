#pragma once

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns the size in bytes of the datasets that copy_rest() copies, packed as in the input.
/// Points that the output does not have are not counted. Headers, attributes and texts of variable
/// length are not counted.
/// @throws StorageError  the input cannot be read
Index room_of_rest(const DatasetPath& input, const OutputSpec& spec);

}  // namespace stencil::storage

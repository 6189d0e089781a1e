#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Sets these members of `facts`: `missing_values`, `missing_unasked`, `missing_text`,
/// `missing_complex`, `valid_min`, `valid_max` and `range_is_of_values`. They follow from
/// attributes of the dataset or, in ODIM_H5, of a group named `what`. For complex numbers, the
/// function reads only those attributes of the dataset itself that give a missing value.
///
/// @param facts  `type` and the facts of PackedNumbers must be set
/// @throws StorageError  the file cannot be read
void find_missing_values(const DatasetPath& path, DatasetFacts& facts);

}  // namespace stencil::storage

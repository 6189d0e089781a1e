#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Sets the facts about missing points according to the attributes of a dataset or of a group
/// `what` of ODIM_H5: `missing_values`, `missing_unasked`, `missing_text`, `missing_complex`,
/// `valid_min`, `valid_max` and `range_is_of_values`. Of complex numbers, only attributes of the
/// dataset are read that give a missing value.
///
/// @param facts  `type` and the facts of PackedNumbers must be set
/// @throws StorageError  the file cannot be read
void find_missing_values(const DatasetPath& path, DatasetFacts& facts);

}  // namespace stencil::storage

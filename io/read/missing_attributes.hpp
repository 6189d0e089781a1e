#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Sets the facts about missing points that the attributes of a dataset, or of a group `what` of
/// ODIM_H5, give: `missing_values`, `missing_unasked`, `missing_text`, `valid_min`, `valid_max` and
/// `range_is_of_values`.
///
/// @param facts  with `type` and the facts of PackedNumbers
/// @throws StorageError  the file cannot be read
void find_missing_values(const DatasetPath& path, DatasetFacts& facts);

}  // namespace stencil::storage

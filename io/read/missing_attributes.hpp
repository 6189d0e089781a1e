#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Sets what the attributes of a dataset, or of a group `what` of ODIM_H5, say about missing
/// points: `missing_values`, `missing_unasked`, `missing_text`, `valid_min`, `valid_max` and
/// `range_is_of_values`.
///
/// @param facts  with `type`, and what PackedNumbers says
/// @throws StorageError  the file cannot be read
void find_missing_values(const DatasetPath& path, DatasetFacts& facts);

}  // namespace stencil::storage

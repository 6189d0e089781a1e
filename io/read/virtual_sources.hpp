#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Checks that every source of a virtual dataset is a sound dataset of a file in the input's own
/// folder or below; sets `facts.sources`, `facts.source_datasets` and `facts.mappings`. Points that
/// no source covers have the fill value: it sets `facts.filled_points` and `facts.fill`.
///
/// HDF5 itself silently reads zeros if a source is missing.
///
/// @throws StorageError  naming the source
void check_virtual(hid_t creation, DatasetFacts& facts);

}  // namespace stencil::storage

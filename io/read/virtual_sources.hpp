#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Checks that every source of a virtual dataset is a sound dataset of a file in the input's own
/// folder or below, and that the sources cover the whole dataset; sets `facts.sources`,
/// `facts.source_datasets` and `facts.mappings`.
///
/// HDF5 itself silently reads zeros if a source is missing.
///
/// @throws StorageError  naming the source
void check_virtual(hid_t creation, DatasetFacts& facts);

}  // namespace stencil::storage

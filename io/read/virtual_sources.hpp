#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Inspects a dataset, as inspect() does.
using Inspect = std::function<DatasetFacts(const std::string& file, const std::string& dataset)>;

/// Checks that every source of a virtual dataset is a sound dataset of a file in the input's own
/// folder or below; sets `facts.sources`, `facts.source_datasets` and `facts.mappings`. Points that
/// no source covers have the fill value: it sets `facts.filled_points` and `facts.fill`.
///
/// HDF5 itself silently reads zeros if a source is missing.
///
/// @param inspect  called once for each source
/// @throws StorageError  naming the source
void check_virtual(hid_t creation, DatasetFacts& facts, const Inspect& inspect);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Inspects a dataset like inspect().
using Inspect = std::function<DatasetFacts(const std::string& file, const std::string& dataset)>;

/// Checks that every source of a virtual dataset is a valid dataset in a file in the input's folder
/// or below it (HDF5 would silently read zeros from a missing source), and sets `facts.sources`,
/// `facts.source_datasets` and `facts.mappings`. Points that no source covers have the fill value:
/// `facts.filled_points` is set to their number, and `facts.fill` to the value.
///
/// @param inspect  called once for each source
/// @throws StorageError  names the source
void check_virtual(hid_t creation, DatasetFacts& facts, const Inspect& inspect);

}  // namespace stencil::storage

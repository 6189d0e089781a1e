#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/virtual_sources.hpp"

namespace stencil::storage {

/// Checks how the points of a dataset are stored, and sets `layout`, `chunk`, `filters`,
/// `storage_bytes`, `data_offset`, `unwritten`, `fill` and `sources` of the facts.
///
/// @param dataset  open for reading; `file`, `dataset`, `dims`, `type`, `file_bytes` of facts must
///                 be set
/// @param inspect  called for the sources of a virtual dataset
/// @throws StorageError  external storage, filters that are not built in, points that were never
///                       written and have no fill value, points outside the file, virtual sources
///                       that are rejected
void check_storage(hid_t dataset, DatasetFacts& facts, const Inspect& inspect);

}  // namespace stencil::storage

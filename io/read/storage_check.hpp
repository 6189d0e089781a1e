#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/virtual_sources.hpp"

namespace stencil::storage {

/// Checks how the points of a dataset are stored, and sets `layout`, `chunk`, `filters`,
/// `storage_bytes`, `data_offset`, `unwritten`, `fill` and `sources` of the facts.
///
/// @param dataset  the dataset, open for reading; `file`, `dataset`, `dims`, `type`, `file_bytes`
///                 of `facts` must be set
/// @param inspect  called for the sources of a virtual dataset
/// @throws StorageError  the points are stored in an external file, with filters that are not built
///                       in, or beyond the end of the file; points were never written and have no
///                       fill value; or a virtual source is rejected
void check_storage(hid_t dataset, DatasetFacts& facts, const Inspect& inspect);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Checks how the points of a dataset are stored and fills in `layout`, `chunk`, `filters`,
/// `storage_bytes`, `data_offset` and `sources`.
///
/// @param dataset  open for reading; `file`, `dataset`, `dims`, `type`, `file_bytes` of facts are
/// set
/// @throws StorageError  external storage, filters that are not built in, points that were never
///                       written or lie outside the file, virtual sources that are refused
void check_storage(hid_t dataset, DatasetFacts& facts);

}  // namespace stencil::storage

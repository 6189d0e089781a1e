#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Checks how the points of a dataset are stored and fills in `layout`, `chunk`, `filters`,
/// `storage_bytes`, `data_offset`, `unwritten`, `fill` and `sources`.
///
/// @param dataset  open for reading; `file`, `dataset`, `dims`, `type`, `file_bytes` of facts are
/// set
/// @throws StorageError  external storage, filters that are not built in, points that were never
///                       written and have no fill value, points that lie outside the file, virtual
///                       sources that are refused
void check_storage(hid_t dataset, DatasetFacts& facts);

/// The fill value of a dataset, in its type. @param creation  its property list
/// @throws StorageError  it cannot be read
ElementValue fill_value_of(hid_t creation, const DatasetFacts& facts);

}  // namespace stencil::storage

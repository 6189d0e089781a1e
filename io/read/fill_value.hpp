#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Returns the fill value of a dataset, in its type. @param creation  the dataset's creation
/// property list
/// @throws StorageError the fill value cannot be read
ElementValue fill_value_of(hid_t creation, const DatasetFacts& facts);

}  // namespace stencil::storage

#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

/// Sets `axis_names` and `text_scale` of the facts, one entry per axis, from the labels and
/// dimension scales of the dataset.
///
/// @throws StorageError  the file cannot be read
void find_axis_names(const DatasetPath& path, DatasetFacts& facts);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Creates the dimension scale `filter` of an output of a bank next to its dataset: the index of
/// each filter in the bank. Call it before other scales are created, because scales with the same
/// name are then renamed.
///
/// @param group  parent of the dataset
/// @throws StorageError
void make_filters(hid_t group, hid_t dataset, const OutputSpec& spec);

}  // namespace stencil::storage

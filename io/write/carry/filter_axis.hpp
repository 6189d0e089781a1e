#pragma once

#include <hdf5.h>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Makes the dimension scale `filter` of an output of a bank beside its dataset: where in the bank
/// each filter stands. Call it before other scales are made, which then get other names.
///
/// @param group  parent of the dataset
/// @throws StorageError
void make_filters(hid_t group, hid_t dataset, const OutputSpec& spec);

}  // namespace stencil::storage

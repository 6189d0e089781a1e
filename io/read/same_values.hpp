#pragma once

#include <hdf5.h>

#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"

namespace stencil::storage {

/// Returns whether two datasets of numbers or texts, possibly in different files, have the same
/// shape, type, values, unit, calendar and packing.
/// @throws StorageError  a file cannot be read
bool have_same_values(hid_t dataset, hid_t other);

/// Returns whether an axis of a dataset has a scale with the same name and values as `scale`.
/// @throws StorageError  a file cannot be read
bool has_same_scale(const DatasetPath& dataset, int axis, const Scale& scale);

}  // namespace stencil::storage

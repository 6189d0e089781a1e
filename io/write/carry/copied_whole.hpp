#pragma once

#include <hdf5.h>

#include <string>

#include "io/write/carry/copied_references.hpp"

namespace stencil::storage {

/// Copies a dataset unchanged, without attributes: packed chunks one by one, other values in
/// blocks. Unlike a copy by H5Ocopy(), the copy contains no creation time, and HDF5 1.10 does not
/// crash if the dataset cannot be read.
///
/// @param path    path in the output; its group must exist
/// @param copies  copies of stored (committed) types, used if the dataset has such a type
/// @throws Unreadable, StorageError
void copy_whole(hid_t from, hid_t output, const std::string& path, const CopiedPaths& copies);

/// Copies a stored (committed) type, without attributes. @throws StorageError
void copy_type(hid_t from, hid_t output, const std::string& path);

}  // namespace stencil::storage

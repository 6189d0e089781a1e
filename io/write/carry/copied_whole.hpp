#pragma once

#include <hdf5.h>

#include <string>

#include "io/write/carry/copied_references.hpp"

namespace stencil::storage {

/// Copies a dataset as it is, without attributes: chunk by chunk as they are packed, else the
/// values in blocks. Unlike those that H5Ocopy() makes, the copy holds no time of its making, and
/// HDF5 1.10 does not crash if it cannot be read.
///
/// @param path    in the output; its group exists
/// @param copies  of stored types, which the copy has if the input's dataset has one of them
/// @throws Unreadable, StorageError
void copy_whole(hid_t from, hid_t output, const std::string& path, const CopiedPaths& copies);

/// Copies a stored type, without attributes. @throws StorageError
void copy_type(hid_t from, hid_t output, const std::string& path);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// Sets creation properties so that equal runs write equal bytes: no creation times are stored.
/// Attributes are stored in the object's header, unless there are very many of them. If attributes
/// were stored elsewhere, HDF5 would shorten the file on closing, by a system call that HDF5 does
/// not repeat after an interruption by a signal. Very many attributes are not stored in the header,
/// because the time to add an attribute grows with their number.
void keep_simple(hid_t creation);

/// Opens the groups of the output along a list of names from the root on, and creates groups that
/// do not exist. @returns the groups, root first
/// @throws StorageError
std::vector<Handle> groups_along(hid_t file, const std::vector<std::string>& names,
                                 const std::string& what);

/// Creates a group. @throws StorageError
Handle make_group(hid_t parent, const std::string& name, const std::string& what);

}  // namespace stencil::storage

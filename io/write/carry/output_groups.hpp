#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// Properties that let equal runs write equal bytes: no times of creation. Attributes lie in the
/// object's header, if they are not very many: elsewhere HDF5 shortens the file when it closes it,
/// with a call that it does not repeat where a signal interrupts it, and each further one in a
/// header takes longer.
void keep_simple(hid_t creation);

/// Opens the groups of the output along some names, from its root on, and makes those that are not
/// there. @returns root first
/// @throws StorageError
std::vector<Handle> groups_along(hid_t file, const std::vector<std::string>& names,
                                 const std::string& what);

/// Makes a group. @throws StorageError
Handle make_group(hid_t parent, const std::string& name, const std::string& what);

}  // namespace stencil::storage

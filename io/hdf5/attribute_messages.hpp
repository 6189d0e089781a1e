#pragma once

#include <hdf5.h>

#include <map>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// For the attributes in an object's header, by name: how many bytes their messages have left for
/// the values, behind name, datatype and dataspace; negative where these do not fit themselves.
using AttributeRoom = std::map<std::string, Index>;

/// Walks an object's header, of either version, in its file. HDF5 1.10 reads an attribute's values
/// without a look at whether they end within its message, and nothing in its interface tells.
///
/// Not listed are attributes that are stored elsewhere (shared messages, dense storage), and what
/// comes after a malformed place. A file that is open for writing, or not by the POSIX driver,
/// gives none: its headers may be in memory.
///
/// @throws StorageError  the file cannot be read
AttributeRoom attribute_room(hid_t object);

}  // namespace stencil::storage

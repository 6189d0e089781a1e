#pragma once

#include <hdf5.h>

#include <map>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The number of bytes for the values of each attribute in an object's header; the key is the name
/// of the attribute. These bytes follow the name, datatype and dataspace in the attribute's
/// message. The number is negative if these three parts are longer than the message.
using AttributeRoom = std::map<std::string, Index>;

/// Parses an object's header, of version 1 or 2, as stored in the file. HDF5 1.10 reads an
/// attribute's values without checking that they end within its message; the result makes this
/// check possible, see is_sound().
///
/// Attributes stored outside the header (shared messages, dense storage) and attributes after the
/// first malformed message are not listed. The result is empty for a file that is open for writing
/// or was opened with a driver other than POSIX, because its headers may be in memory only.
///
/// @throws StorageError  the file cannot be read
AttributeRoom attribute_room(hid_t object);

}  // namespace stencil::storage

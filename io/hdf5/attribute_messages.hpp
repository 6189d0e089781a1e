#pragma once

#include <hdf5.h>

#include <map>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// For each attribute in an object's header, by name: the bytes that remain in its message for the
/// values, after name, datatype and dataspace; negative if these three exceed the message.
using AttributeRoom = std::map<std::string, Index>;

/// Parses an object's header, of version 1 or 2, as stored in the file. HDF5 1.10 reads an
/// attribute's values without checking that they end within its message, and its interface offers
/// no way to check.
///
/// Not listed are attributes stored outside the header (shared messages, dense storage), and
/// messages after the first malformed one. The result is empty for a file that is open for writing
/// or was opened with another driver than POSIX: its headers may be in memory only.
///
/// @throws StorageError  the file cannot be read
AttributeRoom attribute_room(hid_t object);

}  // namespace stencil::storage

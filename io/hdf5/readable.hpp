#pragma once

#include <hdf5.h>

namespace stencil::storage {

/// Returns whether readers such as h5py support a type: native numbers in either byte order, text,
/// opaque bytes, and arrays and compounds of these types. Names of members must be in UTF-8.
bool is_readable(hid_t type);

}  // namespace stencil::storage

#pragma once

#include <hdf5.h>

#include <string>

namespace stencil::storage {

/// Returns the address of a chunk in bytes from the start of the file. The result always includes
/// the size of the user block, which some versions of HDF5 omit. Returns HADDR_UNDEF for a chunk
/// that was never written.
///
/// @param first  index of the chunk's first point along each axis
/// @param what   beginning of an error message
/// @throws StorageError
haddr_t chunk_address(hid_t dataset, const hsize_t* first, const std::string& what);

}  // namespace stencil::storage

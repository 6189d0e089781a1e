#pragma once

#include <hdf5.h>

#include <string>

namespace stencil::storage {

/// Where in the file a chunk begins, from the first byte of the file on, also behind a user block,
/// which some versions of HDF5 leave out. HADDR_UNDEF for a chunk that was never written.
///
/// @param first  index of the chunk's first point along each axis
/// @param what   first words of an error message
/// @throws StorageError
haddr_t chunk_address(hid_t dataset, const hsize_t* first, const std::string& what);

}  // namespace stencil::storage

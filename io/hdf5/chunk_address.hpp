#pragma once

#include <hdf5.h>

#include <string>

namespace stencil::storage {

/// The address of a chunk, counted from the first byte of the file. A user block is counted as
/// well, although some versions of HDF5 leave it out. HADDR_UNDEF for a chunk that was never
/// written.
///
/// @param first  index of the chunk's first point along each axis
/// @param what   first words of an error message
/// @throws StorageError
haddr_t chunk_address(hid_t dataset, const hsize_t* first, const std::string& what);

}  // namespace stencil::storage

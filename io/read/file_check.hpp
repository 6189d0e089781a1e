#pragma once

#include <string>

#include "framework/grid/shape.hpp"
#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// Size and modification time of a file.
struct FileState {
  Index bytes = 0;
  Index modified = 0;  ///< ns since 1970
};

/// Reads the state of a file.
/// @throws StorageError  the file is missing, unreadable, or not a regular file (folder, pipe,
///                       device)
FileState file_state(const std::string& file);

/// Rejects a file that is empty or lacks HDF5's signature. The message of the error names the
/// probable format.
///
/// @throws StorageError
void check_signature(const std::string& file, Index bytes);

/// Opens an HDF5 file read-only, without MPI, ignoring the driver that environment variables
/// select.
///
/// @throws StorageError
Handle open_for_reading(const std::string& file);

}  // namespace stencil::storage

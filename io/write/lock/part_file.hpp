#pragma once

#include "io/hdf5/file_access.hpp"
#include "io/write/output_paths.hpp"

namespace stencil::storage {

/// Opens the folder of an output. The files of the output are opened relative to the folder, so
/// that the folder may be moved during the run. @throws StorageError
Descriptor open_folder(const OutputPaths& paths);

/// Checks that the file under construction can be created. A file of this name may exist if it
/// belongs to a killed run whose lock still exists, or if its content shows that it is an
/// unfinished output. Any other file, including a finished output, is kept. @throws StorageError
/// names that file
void require_own_part(const OutputPaths& paths);

/// Creates the file under construction, empty and open for writing. Replaces the file of a killed
/// run; never follows a link. @throws StorageError
Descriptor create_part(int folder, const OutputPaths& paths);

/// Opens the file under construction on any rank. On network file systems, a rank sees data of
/// other ranks only after these ranks have closed the file. There, a page with points of two ranks
/// is written correctly only if neither rank has opened the file for reading. @throws StorageError
///
/// @param flags  O_WRONLY or O_RDONLY
Descriptor open_part(int folder, const OutputPaths& paths, int rank, int flags);

/// Copies owner and permissions of the replaced file to the finished file; if the group cannot be
/// kept, the group gets no access. Called on the rank that owns the file.
void keep_access(int file, int folder, const OutputPaths& paths);

}  // namespace stencil::storage

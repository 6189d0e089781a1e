#pragma once

#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Checks everything about an output that needs no lock: that names, chunk, compression and missing
/// value are valid, that the folder is writable, and that no file of the input would be
/// overwritten.
///
/// @throws WordsError, StorageError
void check_output(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that this process does not currently read a file of the output.
/// @throws WordsError  an InputDataset has one of these files open
void check_not_read(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the folder exists and is writable. @throws StorageError
void check_folder(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the output's name is free. @throws StorageError  a file of that name exists and must
/// not be overwritten, or the XDMF file's name belongs to a file of another program
void check_absent(const OutputSpec& spec, const OutputPaths& paths);

/// Checks the free space of the file system. The space of an unfinished output of that name is
/// counted as free, because that output is continued or replaced. @throws StorageError  with needed
/// and available bytes
void check_free_space(const OutputPaths& paths, Index needed);

/// Checks that there is free space for the data and for the other contents of the input file that
/// are copied. The size of compressed data is not known in advance and not included.
/// @throws StorageError
void check_room(const OutputSpec& spec, const OutputPaths& paths);

}  // namespace stencil::storage

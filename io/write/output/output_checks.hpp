#pragma once

#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Checks everything about an output that needs no lock: the names, the shape against chunk and
/// compression, the folder, and that no file of the input would be overwritten.
///
/// @throws WordsError, StorageError
void check_output(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that this process reads none of the output's files at the moment.
/// @throws WordsError  an InputDataset has one of them open
void check_not_read(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the folder exists and is writable. @throws StorageError
void check_folder(const OutputSpec& spec, const OutputPaths& paths);

/// @throws StorageError  a file of that name exists already and must not be overwritten, or the
///                       name of its companion belongs to a file of another program
void check_absent(const OutputSpec& spec, const OutputPaths& paths);

/// Checks that the file system has room. The space of an unfinished output of that name is counted
/// as free: it is continued or replaced. @throws StorageError with needed and available bytes
void check_free_space(const OutputPaths& paths, Index needed);

/// Checks that there is free space for the data and for what is copied of the rest of the input's
/// file. The size of compressed data is not known before they are written: they are not counted.
/// @throws StorageError
void check_room(const OutputSpec& spec, const OutputPaths& paths);

}  // namespace stencil::storage

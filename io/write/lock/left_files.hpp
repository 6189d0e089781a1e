#pragma once

#include <string>

#include "io/write/lock/files_made.hpp"

namespace stencil::storage {

/// Adds the files that another lock of the same run notes, if there is such a lock.
void add_files_of_lock(int folder, const std::string& lock, FilesMade& made);

/// Removes an unfinished output of a killed run: a file that the lock of that run notes, that has
/// the mark of an unfinished output (own_mark()), or that is empty. Any other file stays. If the
/// file system does not keep the times when files were made, a file that the lock notes must also
/// begin as HDF5 files do, or with zeros.
///
/// @param folder  open folder to which the name is relative; AT_FDCWD: the working directory
/// @param made    what the lock of that run says
/// @pre the lock of that run was taken over
/// @throws StorageError  the file system fails
void remove_left_output(int folder, const std::string& name, const FilesMade& made);

/// Removes the temporary files of a killed run whose names its lock notes. No other program makes
/// files with such names: each has 16 random digits.
///
/// @param folder  open folder of the lock
/// @pre as for remove_left_output()
void remove_left_fresh_files(int folder, const FilesMade& made);

}  // namespace stencil::storage

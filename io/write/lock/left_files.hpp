#pragma once

#include <string>

#include "io/write/lock/files_made.hpp"

namespace stencil::storage {

/// Adds the files recorded in another lock of the same run, if there is such a lock.
void add_files_of_lock(int folder, const std::string& lock, FilesMade& made);

/// Removes an unfinished output of a killed run: a file that is recorded in the lock of that run,
/// that has the mark of an unfinished output (own_mark()), or that is empty. Other files are kept.
/// If the file system does not store creation times, a file recorded in the lock must also begin
/// like an HDF5 file, or with zeros.
///
/// @param folder  open folder to which the name is relative; AT_FDCWD: the working directory
/// @param made    the files recorded in the lock of that run
/// @pre the lock of that run was taken over
/// @throws StorageError  the file system fails
void remove_left_output(int folder, const std::string& name, const FilesMade& made);

/// Removes the temporary files of a killed run whose names are recorded in its lock. No other
/// program makes files with such names, because each has 16 random digits.
///
/// @param folder  open folder of the lock
/// @pre the lock of that run was taken over
void remove_left_fresh_files(int folder, const FilesMade& made);

}  // namespace stencil::storage

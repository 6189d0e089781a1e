#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Returns the status of a file, without following a link; std::nullopt if there is no such file.
/// @throws StorageError  the file system reports an error
std::optional<struct stat> state_of(int folder, const std::string& name);

/// Kind of a file according to its first bytes. These bytes are searched, without HDF5, for the
/// names of this program's attributes, so that the result is also correct for damaged and truncated
/// files.
enum class OwnMark {
  absent,      ///< there is no file
  foreign,     ///< another file, or not a regular file
  unfinished,  ///< an output, or checkpoint, under construction
  finished,    ///< a complete output or checkpoint
};

/// Examines a file.
/// @param folder  open folder to which the name is relative; AT_FDCWD: the working directory
/// @throws StorageError  the file cannot be read
OwnMark own_mark(int folder, const std::string& name);

/// Returns whether a file of this name exists that is neither a checkpoint of this program nor a
/// damaged checkpoint. A checkpoint is a file that ends with a seal, an HDF5 file with attributes
/// of checkpoints, or the remains of a checkpoint after a crash: an HDF5 file truncated before its
/// first attribute, a file of zeros, or an empty file.
/// @throws StorageError  the file cannot be opened or read
bool is_foreign_checkpoint(const std::string& name);

/// Returns whether a file is the remains of a checkpoint that a killed run was writing: a file with
/// attributes of checkpoints, whose superblock may be missing; the beginning of such a file; zeros;
/// or an empty file. The result is false for a link.
/// @throws StorageError  the file cannot be read
bool is_left_unfinished(const std::string& name);

/// Returns whether an open file of `bytes` bytes contains only zeros; false if the file cannot be
/// read.
bool holds_zeros_only(int file, Index bytes);

/// Returns whether a file of this name exists that is not an XDMF file of an output, see xdmf_of().
bool is_foreign_companion(int folder, const std::string& name);

/// Removes a file that a killed run of this program has left. Links, folders and other special
/// files are kept. @pre the lock of that run, which the caller has taken over, records this file
void remove_left_file(int folder, const std::string& name);

}  // namespace stencil::storage

#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The status of the file of a name; a link is not followed. Nothing if there is no such file.
/// @throws StorageError  the file system reports an error
std::optional<struct stat> state_of(int folder, const std::string& name);

/// Whether this program wrote a file, according to its first bytes. They are searched for the names
/// of our attributes, without HDF5, so that the result is also right for files that are damaged or
/// cut off.
enum class OwnMark {
  absent,      ///< there is no file
  foreign,     ///< another file, or no regular file
  unfinished,  ///< an output, or checkpoint, under construction
  finished,    ///< one that is complete
};

/// @param folder  open folder to which the name is relative; AT_FDCWD: the working directory
/// @throws StorageError  the file cannot be read
OwnMark own_mark(int folder, const std::string& name);

/// Whether a file of this name exists that is not a checkpoint of this program, not even a damaged
/// one. A checkpoint is a file that ends with a seal, an HDF5 file with attributes of checkpoints,
/// or the remains of one after a crash: an HDF5 file that was cut off before its first attribute, a
/// file of zeros, an empty file.
/// @throws StorageError  the file cannot be opened or read
bool is_foreign_checkpoint(const std::string& name);

/// Whether a file is the remains of a checkpoint that a killed run was writing: a file with
/// attributes of checkpoints, whose superblock may not have been written yet; the beginning of such
/// a file; zeros; or an empty file. False for a link.
/// @throws StorageError  the file cannot be read
bool is_left_unfinished(const std::string& name);

/// Whether an open file of `bytes` bytes holds only zeros; false if it cannot be read.
bool holds_zeros_only(int file, Index bytes);

/// Whether something of this name exists that is not a companion of an output, see xdmf_of().
bool is_foreign_companion(int folder, const std::string& name);

/// Removes a file that a killed run of this program has left, as proved by the lock of that run,
/// which the caller has taken over. Does not remove links, folders and the like.
void remove_left_file(int folder, const std::string& name);

}  // namespace stencil::storage

#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// What a name stands for; a link is not followed. Nothing if there is no such file.
/// @throws StorageError  the file system does not tell
std::optional<struct stat> state_of(int folder, const std::string& name);

/// What the first bytes of a file say of whether this program wrote it. They are searched for the
/// names of our attributes, without HDF5, so that the answer is right for files that are damaged
/// or cut off, too.
enum class OwnMark {
  absent,      ///< there is no file
  foreign,     ///< another file, or no regular file
  unfinished,  ///< an output, or checkpoint, under construction
  finished,    ///< one that is complete
};

/// @param folder  open folder to which the name is relative; AT_FDCWD: the working directory
/// @throws StorageError  the file cannot be read
OwnMark own_mark(int folder, const std::string& name);

/// Whether a file of this name exists that is no checkpoint of this program, not even a damaged
/// one. A checkpoint is a file that ends with a seal; an HDF5 file that holds attributes of
/// checkpoints; and what a crash leaves of one: an HDF5 file that was cut off before its first
/// attribute, a file of zeros, an empty file.
/// @throws StorageError  the file cannot be opened or read
bool is_foreign_checkpoint(const std::string& name);

/// Whether a file is what a killed run leaves of a checkpoint that it was writing: a file with
/// attributes of checkpoints, whose superblock may not have been written yet; the beginning of such
/// a file; zeros; or nothing. A link is none.
/// @throws StorageError  the file cannot be read
bool is_left_unfinished(const std::string& name);

/// Whether an open file of so many bytes holds zeros only; a file that cannot be read does not.
bool holds_zeros_only(int file, Index bytes);

/// Whether something of this name exists that is no companion of an output, see xdmf_of().
bool is_foreign_companion(int folder, const std::string& name);

/// Removes a file that a run of this program, killed since, has left: what the lock of that run
/// proves, which the caller has taken over. Leaves links, folders and the like alone.
void remove_left_file(int folder, const std::string& name);

}  // namespace stencil::storage

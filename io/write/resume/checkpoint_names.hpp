#pragma once

#include <array>
#include <string>

namespace stencil::storage {

/// Suffixes of the names of all files that a run may write, rename or remove; each is appended to
/// the name of the checkpoint.
inline constexpr std::array checkpoint_endings{
    "",          ".lock",    ".next",         ".next.part", ".next.lock",
    ".previous", ".windows", ".windows.part", ".snapshots", ".snapshots.part"};

/// Rejects the name of a checkpoint if the longest name of a temporary file next to the checkpoint
/// would be too long.
///
/// @param file         the file of the checkpoint, symbolic links resolved
/// @throws WordsError
void require_short_name(const std::string& file);

/// Rejects files of other programs that have names of checkpoints; damaged checkpoints are
/// accepted.
///
/// @param file         the file of the checkpoint, symbolic links resolved
/// @throws WordsError  names the file
void require_own_checkpoints(const std::string& file);

/// Rejects files of other programs whose names a run with this checkpoint would use for files that
/// the run replaces or removes. The result does not depend on whether a killed run has left a lock,
/// because the files of such a run are recognised by their content.
///
/// @param file            the file of the checkpoint, symbolic links resolved
/// @throws WordsError     names the file
/// @throws StorageError   a file cannot be read
void require_own_checkpoint_files(const std::string& file);

/// Removes the temporary files that a killed run has left. @pre the lock is held, and
/// require_own_checkpoint_files() has passed
void remove_left_checkpoint_files(const std::string& file);

}  // namespace stencil::storage

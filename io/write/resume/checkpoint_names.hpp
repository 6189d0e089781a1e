#pragma once

#include <array>
#include <string>

namespace stencil::storage {

/// Endings that are appended to the name of a checkpoint to form the names of all files that a run
/// may write, rename or remove.
inline constexpr std::array checkpoint_endings{
    "",          ".lock",    ".next",         ".next.part", ".next.lock",
    ".previous", ".windows", ".windows.part", ".snapshots", ".snapshots.part"};

/// Refuses a name that is too long for the longest name of a temporary file beside it.
///
/// @param file         the file of the checkpoint, symbolic links resolved
/// @throws WordsError
void require_short_name(const std::string& file);

/// Refuses files of other programs with the names of checkpoints; damaged checkpoints are accepted.
///
/// @param file         the file of the checkpoint, symbolic links resolved
/// @throws WordsError  naming the file
void require_own_checkpoints(const std::string& file);

/// Refuses files of other programs with any of the names that a run with this checkpoint would
/// replace or remove, even if the lock of a killed run exists: files of such a run are recognized
/// by their content.
///
/// @param file            the file of the checkpoint, symbolic links resolved
/// @throws WordsError     naming the file
/// @throws StorageError   a file cannot be read
void require_own_checkpoint_files(const std::string& file);

/// Removes the temporary files that a killed run has left. @pre the lock is held, and
/// require_own_checkpoint_files() has passed
void remove_left_checkpoint_files(const std::string& file);

}  // namespace stencil::storage

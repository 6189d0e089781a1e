#pragma once

#include <array>
#include <string>

namespace stencil::storage {

/// What is appended to the name of a checkpoint to name all files that a run with it may write,
/// rename or remove.
inline constexpr std::array checkpoint_endings{
    "",          ".lock",    ".next",         ".next.part", ".next.lock",
    ".previous", ".windows", ".windows.part", ".snapshots", ".snapshots.part"};

/// Refuses files of other programs under the names of checkpoints; damaged checkpoints are none.
///
/// @param file         of the checkpoint, symbolic links resolved
/// @throws WordsError  naming the file
void require_own_checkpoints(const std::string& file);

/// Refuses files of other programs under all names that a run with this checkpoint would
/// replace or remove.
///
/// @param file            of the checkpoint, symbolic links resolved
/// @param is_lock_left    whether the lock of a killed run is there: temporary files are its own
/// @throws WordsError     naming the file
void require_own_checkpoint_files(const std::string& file, bool is_lock_left);

/// Removes the temporary files that a killed run has left. @pre the lock is held, and
/// require_own_checkpoint_files() has passed
void remove_left_checkpoint_files(const std::string& file);

}  // namespace stencil::storage

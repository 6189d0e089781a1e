#pragma once

#include <functional>
#include <string>

namespace stencil::storage {

/// Advice after a failed write: `N bytes are available in FOLDER: free some, ...`.
std::string room_in(const std::string& folder);

/// Returns the message `what: reason: what to do`, for a call on an output that failed with
/// `error`.
std::string words_of_unwritable(const std::string& what, int error, const std::string& output);

/// Throws a StorageError with the message words_of_unwritable().
[[noreturn]] void throw_unwritable(const std::string& what, int error, const std::string& output);

/// Runs `work`, which writes through HDF5. @throws StorageError writing failed; the message
/// contains the free space
void with_room(const std::string& output, const std::function<void()>& work);

/// Allocates the blocks of a file that already has its final length, so that a full disk is
/// detected early.
///
/// @throws StorageError
void reserve_blocks(int file, const std::string& name);

/// Flushes a file to the disk (fsync). @throws StorageError
void bring_to_disk(int file, const std::string& name);

/// Flushes the entries of a folder to the disk, if its file system supports it.
/// @throws StorageError
void bring_names_to_disk(int folder, const std::string& name);

}  // namespace stencil::storage

#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "io/write/lock/files_made.hpp"
#include "io/write/lock/lock_owner.hpp"

namespace stencil::storage {

/// A file NAME.lock.HOST.TAG.PID with the content of a lock, in the lock's folder. TAG is a hash of
/// boot and process namespace, because several machines and containers may share a host name. The
/// file becomes the lock when it is linked or renamed to the lock's name. A lock made in this way
/// names its owner from the moment at which it exists. The destructor removes the file
/// NAME.lock.HOST.TAG.PID.
class Nameplate {
 public:
  /// @param folder  open folder, to which names are relative; must outlive this object
  /// @param lock    name of the lock in that folder
  /// @param path    path of the lock, for messages
  /// @throws StorageError
  Nameplate(int folder, const std::string& lock, const std::string& path, const LockOwner& self);
  ~Nameplate();
  Nameplate(const Nameplate&) = delete;
  Nameplate& operator=(const Nameplate&) = delete;

  /// Creates the lock if no lock exists. @returns 0 or an errno
  int become_new();
  /// Replaces the lock that a killed run has left.
  /// @param left  the files of that run, which are also recorded in the new lock until they are
  ///              removed
  /// @returns 0 or an errno
  int replace(const FilesMade& left);
  /// Length of the lock in bytes. @pre the lock was created or replaced
  Index bytes() const { return std::ssize(text_); }
  /// Passes the descriptor of the lock to the caller. @pre the lock was created or replaced
  int give_descriptor();
  /// Updates the times of the lock file and returns its status, whose modification time is the
  /// current time of the file system.
  /// @throws StorageError
  struct stat state() const;

 private:
  int create_alone();

  int folder_;
  std::string lock_, name_, path_, text_;
  int descriptor_ = -1;
  bool has_name_ = true;
};

/// Writes the whole text to an empty file. @returns 0 or an errno
int write_text(int descriptor, const std::string& text);

/// Removes nameplates of processes that were killed while they took this lock. Files whose names do
/// not have that form are kept.
/// @returns whether there was a nameplate of a process that is not known to run
bool remove_dead_plates(int folder, const std::string& lock, const LockOwner& self);

/// Removes a lock that a killed run has left, if the file is a lock.
/// @pre the caller has taken over another lock of that run
void remove_left_lock(int folder, const std::string& lock);

/// Returns the kind of a file that is not a regular file: `a folder`, `a symbolic link`, ...; null
/// for a regular file.
const char* odd_kind(const struct stat& state);

/// Returns the first 4 kB of a file, which is more than a lock contains; std::nullopt, with errno
/// set, if the file cannot be read.
std::optional<std::string> text_in(int descriptor);

}  // namespace stencil::storage

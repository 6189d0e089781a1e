#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "io/write/lock_owner.hpp"

namespace stencil::storage {

/// A file NAME.lock.HOST.PID beside a lock that says what the lock is to say: given the lock's name
/// it is a lock that names its owner from its first moment on. Gone with this object.
class Nameplate {
 public:
  /// @param folder  open folder, which names are relative to; outlives this
  /// @param lock    name of the lock in that folder
  /// @param path    of the lock, for messages
  /// @throws StorageError
  Nameplate(int folder, const std::string& lock, const std::string& path, const LockOwner& self);
  ~Nameplate();
  Nameplate(const Nameplate&) = delete;
  Nameplate& operator=(const Nameplate&) = delete;

  /// Makes it a lock where there is none. @returns 0 or an errno
  int become_new();
  /// Makes it the lock in the place of the one that is there. @returns 0 or an errno
  int replace();
  /// The lock's descriptor once it is one, which then is the caller's to close.
  int give_descriptor();
  /// Its time is what the file system's clock says now. @throws StorageError
  struct stat state() const;

 private:
  int create_alone();

  int folder_;
  std::string lock_, name_, path_, text_;
  int descriptor_ = -1;
  bool has_name_ = true;
};

/// Writes the whole text into an empty file. @returns 0 or an errno
int write_text(int descriptor, const std::string& text);

/// Removes nameplates of processes that were killed while they took this lock.
void remove_dead_plates(int folder, const std::string& lock, const LockOwner& self);

/// `a folder`, `a symbolic link`, ... what a thing that is no plain file is; null for a plain file.
const char* odd_kind(const struct stat& state);

/// The first kilobyte, far more than a lock holds; nothing, and errno, where it cannot be read.
std::optional<std::string> text_in(int descriptor);

}  // namespace stencil::storage

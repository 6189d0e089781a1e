#pragma once

#include <mutex>
#include <string>

#include "io/hdf5/file_access.hpp"
#include "io/write/lock/files_made.hpp"
#include "io/write/lock/lock_owner.hpp"
#include "io/write/lock/sign_of_life.hpp"

namespace stencil::storage {

/// The right to write one output. The right is represented by a file NAME.lock, which describes the
/// owner of the lock and names the files that the owner has created. Without a lock, two runs that
/// write the same output would both succeed and leave a mixture of both, because parallel HDF5 does
/// not lock files.
class OutputLock {
 public:
  /// Makes an object without a lock; take() takes the lock.
  OutputLock() = default;
  /// Takes the lock, see take().
  OutputLock(int folder, const std::string& name, const std::string& path);
  /// Releases the lock.
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// Takes the lock; may be called once. A lock whose owner has ended is taken over. The owner has
  /// ended if it is an exited process of this machine, started since the last boot, or an earlier
  /// start of this Slurm job. If it is unknown whether the owner has ended (see Life), the owner is
  /// assumed to have ended when it has not updated the lock for a minute. If a machine fails while
  /// a run takes the lock, an empty lock remains. Because other programs also make empty files with
  /// such names, an empty lock is taken over only if a nameplate or an unfinished output next to it
  /// was made by this program, and only after half a minute. If the owner belongs to this start of
  /// this Slurm job, take() waits for its end, for about a minute.
  ///
  /// @param folder  open folder of the lock, which may be moved; O_PATH suffices; may be closed
  ///                afterwards
  /// @param name    name of the lock in that folder
  /// @param path    path of the lock, for messages
  /// @throws StorageError  another process holds the lock, a file of its name is not a lock, or
  ///                       release() was called before or in the meantime
  void take(int folder, const std::string& name, const std::string& path);

  /// Returns whether this object still owns the lock: a process that was suspended for a minute may
  /// have lost it. May be called from any thread.
  bool is_ours() const;
  /// Returns a message for the end of the run that says how this object has lost a lock which it
  /// had taken and not released. The message is empty if the object still has the lock, or if this
  /// cannot be determined. May be called from any thread.
  std::string loss() const;
  /// After take(): whether the lock was left by another run, which was killed before it could
  /// release the lock. The temporary files of that run then still exist.
  bool was_left() const { return was_left_; }
  /// If was_left(): the files that the killed run has recorded in its lock.
  const FilesMade& left() const { return left_; }
  /// Records in the lock a file that this run has just created and not yet written to. May be
  /// called from any thread. @throws StorageError
  void note_made(int file, const std::string& name);
  /// Records in the lock the name, without folders, of a temporary file that this run is about to
  /// create next to the lock. A failure is ignored: its only consequence is that the next run could
  /// not remove the file.
  void note_fresh(const std::string& name);
  /// Removes the lock if this object still owns it, and prevents the object from taking it again. A
  /// take() that is running in another thread fails and leaves no file. May be called at any time,
  /// from any thread, and several times.
  /// @returns whether this call removed the lock
  bool release();

 private:
  void wait_and_take();
  /// Appends a line to the lock. @returns 0 or an errno
  int add_line(const std::string& line);
  bool is_named() const;

  mutable std::mutex mutex_;
  Descriptor folder_;
  int descriptor_ = -1;
  bool is_over_ = false, was_left_ = false;
  bool is_empty_ours_ = false;  ///< whether an empty lock was made by this program
  FilesMade left_;
  Index bytes_ = 0;  ///< length of the lock in bytes, once it is taken
  std::string name_, path_;
  LockOwner self_;
  SignOfLife sign_of_life_;  // declared last, because its thread uses the other members
};

}  // namespace stencil::storage

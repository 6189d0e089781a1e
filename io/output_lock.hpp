#pragma once

#include <string>

namespace stencil::storage {

/// The right to write one output: a file NAME.lock that names its owner. Two runs that write the
/// same output would both succeed and leave a mixture, since parallel HDF5 takes no lock.
class OutputLock {
 public:
  /// Takes the lock. That of a process of this host that is no more, or of an earlier start of the
  /// same Slurm job, is taken over, and an empty one that is older than ten seconds.
  ///
  /// @throws StorageError  somebody else holds it
  explicit OutputLock(std::string path);
  /// Gives the lock back.
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string path_;
};

}  // namespace stencil::storage

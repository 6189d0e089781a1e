#pragma once

#include <string>

#include "framework/parallel/abort.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/lock/files_made.hpp"

namespace stencil {

/// Name of a scratch file next to an output, numbered from 0: `.NAME.stencil-scratch0`. A scratch
/// file that a killed run has left is removed by the next run with the same output, which takes
/// over the lock of the killed run.
std::string scratch_name(const std::string& output, int number);

/// A finished output that the same job reads again. It is removed when this object is destroyed, or
/// when the job ends early.
class ScratchFile {
 public:
  /// Creates the object on every rank. Collective. @throws StorageError  on all ranks: a file of
  /// that name exists
  ScratchFile(const Communicator& communicator, const std::string& name);
  /// Removes the file on rank 0; the other ranks must have closed it before.
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& name() const { return name_; }

 private:
  const Communicator& communicator_;
  const std::string name_;
  AbortCleanup cleanup_;
};

/// Rejects a file that has the name of a scratch file. @throws StorageError
[[noreturn]] void refuse_scratch(const std::string& name);

/// Rejects an input that is a scratch file of the output. @throws WordsError
void require_not_scratch(const std::string& output, const std::string& input);

/// Removes the scratch files of a killed run with the same output, finished or not, and their
/// locks. Files of other programs with such names are kept.
///
/// @param made  the files recorded in the lock of that run
/// @pre the lock of that run was taken over, so that no other process makes or uses such files
void remove_scratch_files(const std::string& output, const storage::FilesMade& made);

}  // namespace stencil

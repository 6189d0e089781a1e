#pragma once

#include <string>

#include "framework/parallel/abort.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/write/lock/files_made.hpp"

namespace stencil {

/// Name of a scratch file next to an output, numbered from 0: `.NAME.stencil-scratch0`. A scratch
/// file that a killed run has left is removed by the next run with the same output, which takes
/// over its lock.
std::string scratch_name(const std::string& output, int number);

/// A finished output that the same job reads again: it is removed when this object is destroyed, or
/// when the job ends early.
class ScratchFile {
 public:
  /// Collective. @throws StorageError  on all ranks: there is a file of that name
  ScratchFile(const Communicator& communicator, const std::string& name);
  /// Removes the file: on rank 0, so that the others have to have closed it.
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& name() const { return name_; }

 private:
  const Communicator& communicator_;
  const std::string name_;
  AbortCleanup cleanup_;
};

/// Refuses a file under the name of a scratch file. @throws StorageError
[[noreturn]] void refuse_scratch(const std::string& name);

/// @throws WordsError  the input is a scratch file of that output
void require_not_scratch(const std::string& output, const std::string& input);

/// Removes the scratch files of a killed run with the same output, finished or not, and their
/// locks. Files of other programs with such names stay.
///
/// @param made  what the lock of that run says
/// @pre the lock of that run was taken over: no other process has made or uses such files then
void remove_scratch_files(const std::string& output, const storage::FilesMade& made);

}  // namespace stencil

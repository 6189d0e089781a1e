#pragma once

#include <string>
#include <vector>

#include "drivers/job/prepare/job_inputs.hpp"
#include "io/write/file_identity.hpp"

namespace stencil {

/// The names of all files that a run reads, and of all files that it may write, rename or remove.
/// Two names may refer to the same file only if both are only read.
class RunFiles {
 public:
  /// Adds a file that is written.
  /// @param said  beginning of a message: the key that names the file, or a file next to it, with
  ///              its value: `output.file out.h5`
  void writes(const std::string& name, const std::string& said);
  /// Adds a file that is read. @param role  the end of a message: `which is read (input.file)`
  void reads(const std::string& name, const std::string& role);
  /// Examines the files, without opening or changing them. @throws WordsError  two names refer to
  /// the same file
  void check() const;

 private:
  struct File {
    std::string name, words;
    FileIdentity identity;
  };
  std::vector<File> written_, read_;
};

/// Checks on one rank, before the run creates, renames or removes any file, that the run does not
/// overwrite a file that it reads, a file of its own under another name, or the unfinished output
/// of another program.
///
/// @throws WordsError    two names of the run refer to one file
/// @throws StorageError  the name of the unfinished output is that of another program's file
void check_files(const JobInputs& inputs);

}  // namespace stencil

#pragma once

#include <string>
#include <vector>

#include "drivers/job/prepare/job_inputs.hpp"
#include "io/write/file_identity.hpp"

namespace stencil {

/// The names of all files that a run reads, and of all files that it may write, rename or remove.
/// Two names may refer to the same file only if the run reads the file and never writes it.
class RunFiles {
 public:
  /// Adds a file that is written.
  /// @param said  beginning of a message, such as `output.file out.h5`: the key that gives the name
  ///              of this file or of the file next to which it lies, and the value of the key
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

/// Checks on one rank, before the run creates, renames or removes any file, that the run overwrites
/// neither a file that it reads, nor one of its own files that has a second name, nor the
/// unfinished output of another program.
///
/// @throws WordsError    two names of the run refer to one file
/// @throws StorageError  the unfinished output would have the name of a file of another program
void check_files(const JobInputs& inputs);

}  // namespace stencil

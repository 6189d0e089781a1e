#pragma once

#include <string>
#include <vector>

#include "drivers/job/prepare/job_inputs.hpp"
#include "io/write/file_identity.hpp"

namespace stencil {

/// The names of all files that a run reads, and of all that it may write, rename or remove. No two
/// names may refer to one file, unless both are only read.
class RunFiles {
 public:
  /// @param said  the key with which the user named the file, or the file next to it:
  ///              `output.file out.h5`
  void writes(const std::string& name, const std::string& said);
  /// @param role  `which is read (input.file)`
  void reads(const std::string& name, const std::string& role);
  /// Examines the files, but opens and changes none. @throws WordsError  two names lead to the same
  /// file
  void check() const;

 private:
  struct File {
    std::string name, words;
    FileIdentity identity;
  };
  std::vector<File> written_, read_;
};

/// Checks on one rank, before the run makes, renames or removes any file, that it overwrites no
/// file that it reads, none of its own files by another name, and no unfinished output of another
/// program.
///
/// @throws WordsError    two names of the run refer to one file
/// @throws StorageError  a file of another program has a name that the unfinished output needs
void check_files(const JobInputs& inputs);

}  // namespace stencil

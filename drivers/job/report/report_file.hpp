#pragma once

#include <string>

#include "io/hdf5/file_access.hpp"

namespace stencil {

/// The file to which the report or the trace of a run is written. A regular file is replaced when
/// the report is complete; if the user names a link, its target is replaced. A pipe or a device is
/// opened by the constructor and written to directly. To be used on one rank.
class ReportFile {
 public:
  /// Checks, before any work, that the report can be written.
  ///
  /// @throws StorageError  the folder does not exist or is not writable; or the file is a folder, a
  ///                       block device, a pipe without a reader, or a non-empty file that is not a
  ///                       report of this program
  /// @param option  the option that names the file, for messages: `--report`
  ReportFile(const std::string& file, const std::string& option);

  /// Writes the report. @param output  the name of the run's complete output, for error messages
  /// @throws StorageError  writing failed, or the reader of a pipe took no bytes for a minute
  void write(const std::string& report, const std::string& output) const;

 private:
  std::string file_;
  std::string option_;
  storage::Descriptor special_;  ///< open if the file is a pipe, a device or another special file
};

}  // namespace stencil

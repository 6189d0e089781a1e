#pragma once

#include <string>

#include "io/hdf5/file_access.hpp"

namespace stencil {

/// The place to which the report of a run, or its trace, is written. A regular file is replaced by
/// a new one when the report is complete; if the user names a link, its target is replaced. A pipe
/// or a device is opened at once and written to. On one rank.
class ReportFile {
 public:
  /// Checks, before any work, that the report can be written.
  ///
  /// @throws StorageError  its folder does not exist or is not writable; it is a folder, a block
  ///                       device, a pipe without a reader, or a file that is not a report of this
  ///                       program and not empty
  /// @param option  that names the file, for messages: `--report`
  ReportFile(const std::string& file, const std::string& option);

  /// @param output  of the run, which is complete: an error message says so. A pipe that is not
  ///                emptied for a minute is an error.
  /// @throws StorageError
  void write(const std::string& report, const std::string& output) const;

 private:
  std::string file_;
  std::string option_;
  storage::Descriptor special_;  ///< open, where the file is a pipe, a device or the like
};

}  // namespace stencil

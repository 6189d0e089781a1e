#pragma once

#include <string>

#include "io/hdf5/file_access.hpp"

namespace stencil {

/// Where the report of a run goes. A regular file is replaced by a new one when the report is
/// whole; through a link that the user names, the file that it leads to. A pipe or a device is
/// opened at once and written to. On one rank.
class ReportFile {
 public:
  /// Checks, before any work, that the report can be written.
  ///
  /// @throws StorageError  its folder does not exist or is not writable; it is a folder, a block
  ///                       device, a pipe that nobody reads, or a file that is no report of this
  ///                       program and not empty
  explicit ReportFile(const std::string& file);

  /// @param output  of the run, which is complete: an error says so. A pipe that nobody empties for
  ///                a minute is an error.
  /// @throws StorageError
  void write(const std::string& report, const std::string& output) const;

 private:
  std::string file_;
  storage::Descriptor special_;  ///< open, where the file is a pipe, a device or the like
};

}  // namespace stencil

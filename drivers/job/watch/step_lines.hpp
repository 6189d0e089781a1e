#pragma once

#include <optional>
#include <string>

#include "drivers/job/watch/point_watch.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// A file next to the report that users can read during a run. It has one line of JSON for each
/// check of the points. To be used on one rank.
class StepLines {
 public:
  /// Creates the file, or replaces the file of an earlier run.
  ///
  /// @param steps  the step from which this run continues; 0 if the run starts from the input
  /// @param saved  description of the lines that were written before the checkpoint from which the
  ///               run continues. If the file begins with these lines, they are kept, and later
  ///               lines are removed. Otherwise the lines may belong to another run, and all are
  ///               removed.
  /// @throws StorageError  the file cannot be written, or is not a file of step lines: see
  ///                       require_own_lines()
  StepLines(const std::string& file, Index steps, double time_step,
            const std::optional<LinesSaved>& saved);

  /// Returns the reason why lines of earlier steps were removed, as a note for the user; empty if
  /// no lines were removed.
  const std::string& note() const { return note_; }
  /// Flushes the lines to the disk and returns their description for a checkpoint.
  LinesSaved saved() const;
  /// @param seconds   seconds since the start of this run; the line contains their sum with the
  ///                  seconds of the last line that was kept
  /// @param snapshot  index of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  double seconds_before_ = 0;  ///< seconds in the last line that was kept
  std::string note_;
  storage::Descriptor file_;
  LinesSaved written_;  ///< the complete lines
  double time_step_;
};

/// Checks that a file may be replaced: it does not exist, is empty, or has step lines of an earlier
/// run. A file that a crash has left is also accepted: it contains only zeros, or the beginning of
/// a first line with at least the step and the time.
/// @throws StorageError  the file has any other content, or is a link
void require_own_lines(const std::string& file);

}  // namespace stencil

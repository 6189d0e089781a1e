#pragma once

#include <optional>
#include <string>

#include "drivers/job/watch/point_watch.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// A file next to the report that can be read during a run: one line of JSON for each check of its
/// points. On one rank.
class StepLines {
 public:
  /// Creates the file, or replaces such a file of an earlier run.
  ///
  /// @param steps  the step from which this run continues; 0: the run starts from the beginning
  /// @param saved  the lines that were written before the checkpoint of these steps.
  ///               If the file begins with them, they are kept, and later lines are cut off.
  ///               Otherwise the lines may be those of another run, and none is kept.
  /// @throws StorageError  the file cannot be written, or another file has its name: see
  ///                       require_own_lines()
  StepLines(const std::string& file, Index steps, double time_step,
            const std::optional<LinesSaved>& saved);

  /// Why the lines of earlier steps are not kept, for a note to the user; empty if they are, or if
  /// there were none.
  const std::string& note() const { return note_; }
  /// The lines that were written until now, after they were flushed to the disk.
  LinesSaved saved() const;
  /// @param seconds  since this run began; in the line they are added to those of the last
  ///                 line kept
  /// @param snapshot  number of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  double seconds_before_ = 0;  ///< of the last line that was kept
  std::string note_;
  storage::Descriptor file_;
  LinesSaved written_;  ///< the lines that are whole
  double time_step_;
};

/// Checks that the file of this name may be replaced: it does not exist, is empty, or has lines of
/// an earlier run. The remains of lines after a crash are accepted, too: the beginning of a first
/// line, from its step to its time at least, or zeros only.
/// @throws StorageError  there is another file, or a link
void require_own_lines(const std::string& file);

}  // namespace stencil

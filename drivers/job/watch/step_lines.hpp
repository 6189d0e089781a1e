#pragma once

#include <optional>
#include <string>

#include "drivers/job/watch/point_watch.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// A file beside the report that can be read while a run goes on: a line of JSON for each look at
/// its points. On one rank.
class StepLines {
 public:
  /// Creates the file anew, or puts a new one in the place of such a file of an earlier run.
  ///
  /// @param steps  that this run goes on from; 0: begins anew
  /// @param saved  what the checkpoint of these steps says of the lines that were written before
  /// it.
  ///               If the file begins with them, they are kept, and what was written behind them is
  ///               cut off. Otherwise the lines may be those of another run, and none is kept.
  /// @throws StorageError  it cannot be written, or another file has its name: see
  ///                       require_own_lines()
  StepLines(const std::string& file, Index steps, double time_step,
            const std::optional<LinesSaved>& saved);

  /// Why the lines of the steps before are not kept, to be told to the user; empty if they are, and
  /// if there were none.
  const std::string& note() const { return note_; }
  /// The lines that were written until now, after they were brought to the disk.
  LinesSaved saved() const;
  /// @param seconds  since this run began; in the line they go on from the last one that was kept
  /// @param snapshot  number of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  double seconds_before_ = 0;  ///< of the last line that was kept
  std::string note_;
  storage::Descriptor file_;
  LinesSaved written_;  ///< the lines that are whole
  double time_step_;
};

/// Checks that lines may take this name: there is no file, an empty one, or lines of an earlier
/// run. Also accepted is what a crash leaves of lines: the beginning of a first line, from its step
/// to its time at least, or zeros only.
/// @throws StorageError  there is another file, or a link
void require_own_lines(const std::string& file);

}  // namespace stencil

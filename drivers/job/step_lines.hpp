#pragma once

#include <optional>
#include <string>

#include "drivers/job/point_watch.hpp"
#include "io/hdf5/file_access.hpp"

namespace stencil {

/// A file beside the report that can be read while a run goes on: a line of JSON for each look at
/// its points. On one rank.
class StepLines {
 public:
  /// Creates the file anew, or puts a new one in the place of such a file of an earlier run.
  ///
  /// @param steps  that this run goes on from: keeps the lines of those that were written before,
  ///               and cuts off what was written behind them; 0: begins anew
  /// @throws StorageError  it cannot be written, or another file has its name: see
  ///                       require_own_lines()
  StepLines(const std::string& file, Index steps, double time_step);

  /// @param seconds  since this run began; in the line they go on from the last one that was kept
  /// @param snapshot  number of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  double seconds_before_ = 0;  ///< of the last line that was kept
  storage::Descriptor file_;
  Index bytes_ = 0;  ///< of the lines that are whole
  double time_step_;
};

/// Checks that lines may take this name: there is no file, an empty one, or lines of an earlier
/// run.
/// @throws StorageError  there is another file, or a link
void require_own_lines(const std::string& file);

}  // namespace stencil

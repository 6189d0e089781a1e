#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "drivers/job/point_watch.hpp"

namespace stencil {

/// A file beside the report that can be read while a run goes on: a line of JSON for each look at
/// its points. On one rank.
class StepLines {
 public:
  /// @param steps  that this run goes on from: keeps the lines of those that were written before,
  ///               and cuts off what was written behind them; 0: begins anew
  /// @throws StorageError  it cannot be written
  StepLines(const std::string& file, Index steps, double time_step);

  /// @param seconds  since this run began; in the line they go on from the last one that was kept
  /// @param snapshot  number of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  double seconds_before_ = 0;  ///< of the last line that was kept
  std::unique_ptr<std::FILE, Close> file_;
  double time_step_;
};

}  // namespace stencil

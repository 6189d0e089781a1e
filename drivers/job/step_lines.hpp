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
  /// @param appends  keeps what a run has written that this one goes on from
  /// @throws StorageError  it cannot be written
  StepLines(const std::string& file, bool appends, double time_step);

  /// @param seconds  since the run began
  /// @param snapshot  number of the snapshot of these points, if there is one
  void add(const Look& look, double seconds, std::optional<Index> snapshot);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  double time_step_;
};

}  // namespace stencil

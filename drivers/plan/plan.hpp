#pragma once

#include "drivers/plan/problem.hpp"
#include "drivers/plan/start.hpp"
#include "drivers/plan/way.hpp"

namespace stencil {

/// All decisions that are made before data are read: a problem, how it is computed, and the state
/// from which the run starts. way() and start() never change.
class Plan : public Problem {
 public:
  /// Windows and passes do not check the points between steps. If the problem requests such checks,
  /// a note is added.
  explicit Plan(Problem problem = {}, RunWay way = AtOnce{}, Start start = Fresh{});

  const RunWay& way() const { return way_; }
  const Start& start() const { return start_; }

  /// Returns the windows of a run in windows; null for other ways.
  const Windows* windows() const { return std::get_if<Windows>(&way_); }
  /// Returns whether the run computes windows, in one pass or several.
  bool is_in_windows() const { return !std::holds_alternative<AtOnce>(way_); }
  /// Returns the passes of a run in passes; null for other ways.
  const Passes* passes() const { return std::get_if<Passes>(&way_); }
  /// Returns the checkpoint from which the run continues, or null.
  const Resumed* resumed() const { return std::get_if<Resumed>(&start_); }
  /// Returns the unfinished output in which the run continues (in windows, or with snapshots), or
  /// null.
  const UnfinishedOutput* unfinished() const;

  /// Number of steps that were done before the run starts, summed over all stages.
  Index steps_before() const { return resumed() ? resumed()->steps_done : 0; }
  /// Number of steps of this run and of earlier runs.
  Index steps_in_all() const { return steps_before() + chain.steps(); }
  /// Peak bytes of host memory on the rank that needs the most.
  Index memory_per_rank() const { return stencil::memory_per_rank(*this, way_); }

 private:
  RunWay way_;
  Start start_;
};

}  // namespace stencil

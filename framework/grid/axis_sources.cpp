#include "framework/grid/axis_sources.hpp"

#include <algorithm>

namespace stencil {
namespace {

/// Extends a run by one ghost if the ghost and its source continue the run. @returns whether the
/// run was extended
bool extends(GhostRun& run, Index ghost, Index source) {
  if (ghost != run.ghost + run.count) return false;
  const Index step = source - (run.source + (run.count - 1) * run.step);
  if (step < -1 || step > 1) return false;
  if (run.count > 1 && step != run.step) return false;
  run.step = static_cast<int>(step);
  ++run.count;
  return true;
}

}  // namespace

Interval GhostRun::sources() const {
  const Index end = source + (count - 1) * step;
  return {std::min(source, end), std::max(source, end) + 1};
}

void append_ghost(std::vector<GhostRun>& runs, Index ghost, Index source) {
  if (runs.empty() || !extends(runs.back(), ghost, source))
    runs.push_back({.ghost = ghost, .source = source, .count = 1, .step = 1});
}

AxisSources axis_sources(const Interval& wanted, BoundaryRule rule, Index extent) {
  AxisSources sources;
  sources.inside = intersect(wanted, {0, extent});
  const auto add = [&](const Interval& ghosts) {
    if (ghosts.empty()) return;
    if (rule == BoundaryRule::constant) return sources.constant.push_back(ghosts);
    for (Index ghost = ghosts.first; ghost < ghosts.last; ++ghost)
      append_ghost(sources.ghosts, ghost, *source_index(rule, ghost, extent));
  };
  add({wanted.first, std::min<Index>(wanted.last, 0)});
  add({std::max(wanted.first, extent), wanted.last});
  return sources;
}

}  // namespace stencil

#include "framework/parallel/ghost_plan.hpp"

#include <algorithm>
#include <map>

namespace stencil {
namespace {

/// Lengthens the last run by one ghost if the pair continues it.
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

GhostPlan ghost_plan(const Decomposition& decomposition, const Halo& halo, BoundaryRule rule,
                     int axis, Index k) {
  const Interval owned = decomposition.part(axis, k);
  GhostPlan plan;
  if (owned.empty()) return plan;
  std::map<Index, GhostSource> sources;
  const auto add = [&](Index ghost) {
    const auto source = source_index(rule, ghost, decomposition.shape()[axis]);
    if (!source) {
      if (!plan.constant.empty() && plan.constant.back().last == ghost)
        ++plan.constant.back().last;
      else
        plan.constant.push_back({ghost, ghost + 1});
      return;
    }
    const Index block = decomposition.part_of(axis, *source);
    GhostSource& from = sources[block];
    from.block = block;
    if (from.runs.empty() || !extends(from.runs.back(), ghost, *source))
      from.runs.push_back({.ghost = ghost, .source = *source, .count = 1, .step = 1});
  };
  for (Index ghost = owned.first - halo.low[axis]; ghost < owned.first; ++ghost) add(ghost);
  for (Index ghost = owned.last; ghost < owned.last + halo.high[axis]; ++ghost) add(ghost);
  for (auto& [block, source] : sources) plan.sources.push_back(std::move(source));
  return plan;
}

}  // namespace stencil

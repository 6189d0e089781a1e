#include "framework/grid/ghost_plan.hpp"

#include <map>

namespace stencil {

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
    append_ghost(from.runs, ghost, *source);
  };
  for (Index ghost = owned.first - halo.low[axis]; ghost < owned.first; ++ghost) add(ghost);
  for (Index ghost = owned.last; ghost < owned.last + halo.high[axis]; ++ghost) add(ghost);
  for (auto& [block, source] : sources) plan.sources.push_back(std::move(source));
  return plan;
}

}  // namespace stencil

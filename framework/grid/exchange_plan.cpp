#include "framework/grid/exchange_plan.hpp"

#include <algorithm>

namespace stencil {
namespace {

/// Returns the owned box grown by the ghosts of the axes that were already exchanged.
Box cross_section(const Box& owned, Halo halo, const std::array<bool, axes>& done) {
  for (int axis = 0; axis < axes; ++axis)
    if (!done[axis]) halo.low[axis] = halo.high[axis] = 0;
  return grown(owned, halo);
}

GhostPart part_of(const GhostRun& run, const Box& section, int axis) {
  GhostPart part{.ghosts = section, .points = section, .step = run.step};
  part.ghosts.set(axis, {run.ghost, run.ghost + run.count});
  part.points.set(axis, run.sources());
  return part;
}

GhostMessage message_of(int peer, const std::vector<GhostRun>& runs, const Box& section, int axis) {
  GhostMessage message;
  message.peer = peer;
  for (const GhostRun& run : runs) {
    message.parts.push_back(part_of(run, section, axis));
    message.parts.back().at = message.elements;
    message.elements += message.parts.back().ghosts.points();
  }
  return message;
}

ExchangePhase phase_of(int rank, const Decomposition& decomposition, const Halo& halo,
                       BoundaryRule rule, int axis, const Box& section) {
  const Point mine = decomposition.coordinates(rank);
  ExchangePhase phase;
  phase.axis = axis;
  const auto rank_of_block = [&](Index block) {
    Point coordinates = mine;
    coordinates[axis] = block;
    return decomposition.rank_at(coordinates);
  };
  for (Index block = 0; block < decomposition.grid()[axis]; ++block) {
    const GhostPlan plan = ghost_plan(decomposition, halo, rule, axis, block);
    const bool is_mine = block == mine[axis];
    for (const GhostSource& source : plan.sources) {
      const auto message_with = [&](Index other) {
        return message_of(rank_of_block(other), source.runs, section, axis);
      };
      if (is_mine && source.block == block)
        for (const GhostRun& run : source.runs) phase.local.push_back(part_of(run, section, axis));
      else if (is_mine)
        phase.receives.push_back(message_with(source.block));
      else if (source.block == mine[axis])
        phase.sends.push_back(message_with(block));
    }
    if (!is_mine) continue;
    for (const Interval& ghosts : plan.constant) {
      Box box = section;
      box.set(axis, ghosts);
      phase.constant.push_back(box);
    }
  }
  return phase;
}

}  // namespace

std::vector<ExchangePhase> exchange_plan(int rank, const Decomposition& decomposition,
                                         const Halo& halo, const Boundary& boundary) {
  std::vector<ExchangePhase> phases;
  if (rank >= decomposition.blocks() || decomposition.owned(rank).empty()) return phases;
  std::array<int, axes> order{x_axis, y_axis, batch_axis};
  std::stable_partition(order.begin(), order.end(),
                        [&](int axis) { return decomposition.grid()[axis] == 1; });
  std::array<bool, axes> done{};
  for (const int axis : order) {
    const Box section = cross_section(decomposition.owned(rank), halo, done);
    phases.push_back(phase_of(rank, decomposition, halo, boundary.rule[axis], axis, section));
    done[axis] = true;
  }
  return phases;
}

}  // namespace stencil

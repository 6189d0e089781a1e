#include "kernels/level_spans.hpp"

#include <algorithm>

namespace stencil {

std::optional<Index> StepAxis::source_inside(Index index) const {
  const auto inside = source_index(rule, index - world.first, world.extent());
  if (!inside) return std::nullopt;
  return *inside + world.first;
}

namespace {

Interval before(const StepAxis& axis, Interval points) {
  const Interval reads = axis.reads(points);
  if (axis.rule == BoundaryRule::wrap) return reads;
  Interval known = intersect(reads, axis.world);
  const auto add = [&](Index ghost) {
    const auto source = axis.source(ghost);
    if (!source) return;
    known.first = std::min(known.first, *source);
    known.last = std::max(known.last, *source + 1);
  };
  for (Index ghost = reads.first; ghost < axis.world.first; ++ghost) add(ghost);
  for (Index ghost = axis.world.last; ghost < reads.last; ++ghost) add(ghost);
  return known;
}

}  // namespace

std::vector<Interval> level_spans(const StepAxis& axis, Interval outputs, Index steps) {
  std::vector<Interval> spans(std::size_t(steps) + 1, outputs);
  for (Index level = steps; level > 0; --level) spans[level - 1] = before(axis, spans[level]);
  return spans;
}

Interval reads_of_start(const StepAxis& axis, const std::vector<Interval>& spans) {
  if (spans.size() == 1) return spans[0];
  const Interval reads = axis.reads(spans[1]);
  return {std::min(reads.first, spans[0].first), std::max(reads.last, spans[0].last)};
}

}  // namespace stencil

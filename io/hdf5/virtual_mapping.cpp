#include "io/hdf5/virtual_mapping.hpp"

#include <algorithm>
#include <utility>

namespace stencil::storage {
namespace {

/// Returns the first axis, from `axis` on, along which there is more than one point; the number of
/// axes if there is no such axis.
std::size_t next_long_axis(const std::vector<Index>& count, std::size_t axis) {
  while (axis < count.size() && count[axis] == 1) ++axis;
  return axis;
}

}  // namespace

bool is_same_shape(const std::vector<Index>& count, const std::vector<Index>& other) {
  std::size_t a = next_long_axis(count, 0), b = next_long_axis(other, 0);
  for (; a < count.size() && b < other.size() && count[a] == other[b];
       a = next_long_axis(count, a + 1))
    b = next_long_axis(other, b + 1);
  return a == count.size() && b == other.size();
}

std::optional<MappedPart> mapped_part(const VirtualMapping& mapping, const Piece& whole) {
  MappedPart part{{}, {mapping.source_start, mapping.source_count}, mapping.source_step};
  std::size_t there = 0;
  for (std::size_t axis = 0; axis < whole.count.size(); ++axis) {
    const Index first = std::max(whole.start[axis], mapping.start[axis]);
    const Index last =
        std::min(whole.start[axis] + whole.count[axis], mapping.start[axis] + mapping.count[axis]);
    if (first >= last) return std::nullopt;
    part.here.start.push_back(first);
    part.here.count.push_back(last - first);
    if (mapping.count[axis] == 1) continue;
    there = next_long_axis(mapping.source_count, there);
    part.there.start[there] +=
        (first - mapping.start[axis]) * (part.step.empty() ? 1 : part.step[there]);
    part.there.count[there] = last - first;
    ++there;
  }
  return part;
}

std::vector<Piece> without(const std::vector<Piece>& boxes, const Piece& other) {
  std::vector<Piece> left;
  for (Piece box : boxes) {
    bool is_met = true;
    for (std::size_t axis = 0; axis < box.start.size() && is_met; ++axis)
      is_met = box.start[axis] < other.start[axis] + other.count[axis] &&
               other.start[axis] < box.start[axis] + box.count[axis];
    if (!is_met) {
      left.push_back(std::move(box));
      continue;
    }
    for (std::size_t axis = 0; axis < box.start.size(); ++axis) {
      const Index first = box.start[axis], last = first + box.count[axis];
      const Index low = std::max(first, other.start[axis]);
      const Index high = std::min(last, other.start[axis] + other.count[axis]);
      for (const auto& [from, to] : {std::pair(first, low), std::pair(high, last)}) {
        if (from >= to) continue;
        left.push_back(box);
        left.back().start[axis] = from;
        left.back().count[axis] = to - from;
      }
      box.start[axis] = low;
      box.count[axis] = high - low;
    }
  }
  return left;
}

bool are_disjoint(const std::vector<VirtualMapping>& mappings, Index points) {
  for (const VirtualMapping& mapping : mappings) points -= points_of(mapping.count);
  return points == 0;
}

}  // namespace stencil::storage

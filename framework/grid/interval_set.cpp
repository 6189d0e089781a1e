#include "framework/grid/interval_set.hpp"

#include <algorithm>

namespace stencil {

std::vector<Interval> IntervalSet::missing_in(const Interval& interval) const {
  std::vector<Interval> missing;
  Index at = interval.first;
  for (const Interval& part : parts_) {
    if (part.first >= interval.last) break;
    if (part.first > at) missing.push_back({at, part.first});
    at = std::max(at, part.last);
  }
  if (at < interval.last) missing.push_back({at, interval.last});
  return missing;
}

std::vector<Interval> IntervalSet::add(const Interval& interval) {
  std::vector<Interval> missing = missing_in(interval);
  if (missing.empty()) return missing;
  Interval all = interval;
  std::vector<Interval> parts;
  for (const Interval& part : parts_) {
    if (part.last < interval.first || part.first > interval.last) {
      parts.push_back(part);
      continue;
    }
    all = {std::min(all.first, part.first), std::max(all.last, part.last)};
  }
  const auto behind = std::find_if(parts.begin(), parts.end(),
                                   [&](const Interval& part) { return part.first > all.first; });
  parts.insert(behind, all);
  parts_ = std::move(parts);
  return missing;
}

}  // namespace stencil

#pragma once

#include <vector>

#include "framework/grid/box.hpp"

namespace stencil {

/// A set of indices along one axis, stored as disjoint intervals.
class IntervalSet {
 public:
  /// Adds an interval. @returns the parts of the interval that were not in the set before,
  /// ascending
  std::vector<Interval> add(const Interval& interval);
  /// Returns the parts of an interval that are not in the set, ascending.
  std::vector<Interval> missing_in(const Interval& interval) const;

 private:
  std::vector<Interval> parts_;  ///< ascending, not empty, not adjacent
};

}  // namespace stencil

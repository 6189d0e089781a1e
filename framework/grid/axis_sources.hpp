#pragma once

#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// A run of ghost indices along one axis and the source of their values: ghost `ghost + i` has the
/// value of point `source + i * step`. All indices are global.
struct GhostRun {
  Index ghost = 0;
  Index source = 0;
  Index count = 0;
  int step = 1;  ///< 1, -1 (reflected) or 0 (every ghost is the same point)

  /// The smallest interval that contains all source points.
  Interval sources() const;
  friend bool operator==(const GhostRun&, const GhostRun&) = default;
};

/// Adds the next ghost to a list of runs: lengthens the last run where the ghost continues it, and
/// begins a new run otherwise.
void append_ghost(std::vector<GhostRun>& runs, Index ghost, Index source);

/// The sources of the values at the indices of an interval, which may extend beyond the axis on
/// both sides or lie outside it.
struct AxisSources {
  Interval inside;                 ///< indices within the axis, which are their own sources
  std::vector<GhostRun> ghosts;    ///< indices beyond the edges that have a source, ascending
  std::vector<Interval> constant;  ///< indices beyond the edges that hold the boundary value
};

/// Worked example: the interval [-2, 3) of an axis of 6 points, rule reflect: indices 0 to 2 lie
/// within the axis, and ghosts -2, -1 are points 1, 0.
///
/// @param wanted  any indices
/// @param extent  points of the axis, at least 1
AxisSources axis_sources(const Interval& wanted, BoundaryRule rule, Index extent);

}  // namespace stencil

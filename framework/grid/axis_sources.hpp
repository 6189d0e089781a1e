#pragma once

#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// A run of ghosts along one axis and the source of their values: ghost `ghost + i` has the value
/// of point `source + i * step`, for i from 0 to count - 1. All indices are global.
struct GhostRun {
  Index ghost = 0;
  Index source = 0;
  Index count = 0;
  int step = 1;  ///< 1, -1 (reflected) or 0 (every ghost is the same point)

  /// Returns the smallest interval that contains all source points.
  Interval sources() const;
  friend bool operator==(const GhostRun&, const GhostRun&) = default;
};

/// Appends the next ghost to a list of runs: extends the last run if the ghost continues it, else
/// begins a new run.
void append_ghost(std::vector<GhostRun>& runs, Index ghost, Index source);

/// The sources of the values at all indices of an interval. The interval may extend beyond the axis
/// on both sides or lie entirely outside it.
struct AxisSources {
  Interval inside;                 ///< indices within the axis, which are their own sources
  std::vector<GhostRun> ghosts;    ///< indices beyond the edges that have a source, ascending
  std::vector<Interval> constant;  ///< indices beyond the edges that hold the boundary value
};

/// Computes the sources for an interval. Worked example: the interval [-2, 3) of an axis of 6
/// points, rule reflect: indices 0 to 2 lie within the axis, and ghosts -2 and -1 have the values
/// of points 1 and 0.
///
/// @param wanted  any interval of indices
/// @param extent  number of points of the axis, at least 1
AxisSources axis_sources(const Interval& wanted, BoundaryRule rule, Index extent);

}  // namespace stencil

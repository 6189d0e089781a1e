#pragma once

#include <optional>
#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// One axis of a block that is advanced several steps in one sweep.
struct StepAxis {
  Interval world;  ///< all points of the world, counted as the block's are: its first point is 0
  BoundaryRule rule = BoundaryRule::reflect;
  Index low = 0, high = 0;  ///< points that the mask reaches below and above an output

  /// The point whose value is used at `index` in every step; nothing if the boundary's value is
  /// used there. For points inside the world, and for all points of a periodic world, the result is
  /// `index` itself: the periodic image of a point is computed from the neighbours of the image,
  /// which gives the same bits.
  std::optional<Index> source(Index index) const {
    if (rule == BoundaryRule::wrap || world.contains(index)) return index;
    return source_inside(index);
  }
  /// Like source(), for an index outside of the world, where the rule is not `wrap`.
  std::optional<Index> source_inside(Index index) const;
  /// The points that outputs at `points` read, including those beyond the edges of the world.
  Interval reads(Interval points) const { return {points.first - low, points.last + high}; }
};

/// Which points have to be known after 0, 1 ... `steps` steps so that those at `outputs` can be
/// computed in the last one: next to points of other blocks one mask width more with every step
/// back, at the edges of the world no further than the boundary rule maps back inside.
///
/// @returns steps + 1 intervals, each within the one before it; the last is `outputs`
/// @pre     outputs is not empty and lies inside the world
std::vector<Interval> level_spans(const StepAxis& axis, Interval outputs, Index steps);

/// Points of the start that are read, ghosts beyond the edges of the world included.
Interval reads_of_start(const StepAxis& axis, const std::vector<Interval>& spans);

}  // namespace stencil

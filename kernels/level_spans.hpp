#pragma once

#include <optional>
#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/box.hpp"

namespace stencil {

/// One axis of a block that is advanced several steps in one sweep.
struct StepAxis {
  Interval world;  ///< all points of the world, by indices in which the block's first point is 0
  BoundaryRule rule = BoundaryRule::reflect;
  Index low = 0, high = 0;  ///< numbers of points that the mask reaches below and above an output

  /// Index of the point whose value is used at `index` in every step, or std::nullopt if the
  /// boundary value is used there. The result is `index` for points inside the world. In a periodic
  /// world, the result is `index` for all points: a point outside the world is the image of a point
  /// inside, and is computed from the images of that point's neighbours, which gives the same bits.
  std::optional<Index> source(Index index) const {
    if (rule == BoundaryRule::wrap || world.contains(index)) return index;
    return source_inside(index);
  }
  /// Like source(), for an index outside the world and a rule other than `wrap`.
  std::optional<Index> source_inside(Index index) const;
  /// Returns the points that the outputs at `points` read, including points beyond the edges of the
  /// world.
  Interval reads(Interval points) const { return {points.first - low, points.last + high}; }
};

/// Computes the points that must be known after 0, 1, ..., `steps` steps so that the outputs at
/// `outputs` can be computed in the last step. Next to points of other blocks, the interval grows
/// by one mask width with every step back. At the edges of the world it grows no further than the
/// points to which the boundary rule maps the ghost points.
///
/// @returns steps + 1 intervals, each of which lies within the previous interval; the last one is
///          `outputs`
/// @pre     outputs is not empty and lies inside the world
std::vector<Interval> level_spans(const StepAxis& axis, Interval outputs, Index steps);

/// Points of the initial level that are read, including ghost points beyond the edges of the world.
Interval reads_of_start(const StepAxis& axis, const std::vector<Interval>& spans);

}  // namespace stencil

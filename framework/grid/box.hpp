#pragma once

#include <string>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Half-open run of indices `[first, last)` along one axis; empty when `last <= first`.
struct Interval {
  Index first = 0;
  Index last = 0;

  Index extent() const { return last > first ? last - first : 0; }
  bool empty() const { return last <= first; }
  bool contains(Index index) const { return index >= first && index < last; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Intersection of two intervals. If the intervals do not overlap, the extent of the result is 0,
/// but the bounds of the result are not necessarily equal.
Interval intersect(const Interval& a, const Interval& b);

/// Numbers of ghosts on the low and the high side of each axis. The two sides differ if the width
/// of the mask is even or if its origin is shifted.
struct Halo {
  Point low{};
  Point high{};

  bool empty() const { return low == Point{} && high == Point{}; }
  friend bool operator==(const Halo&, const Halo&) = default;
};

/// Checks that no number of ghosts is negative. @throws ShapeError  names the side and the axis
void require_ghosts(const Halo& halo);

/// Formats a halo as in `low 0x1x2, high 0x1x2`.
std::string to_string(const Halo& halo);

/// Half-open rectangle of global points `[first, last)` in the normal form `[batch, y, x]`.
///
/// Worked example, used in the comments of this folder: a world of `[1, 6, 8]` is split into two
/// slabs along y. Rank 0 owns `[0,0,0)..[1,3,8)`, 24 points. Grown by a halo of one row and two
/// columns, the box is `[0,-1,-2)..[1,4,10)`, 60 points. The part outside the world is filled by
/// the boundary rule, and row 3 by points of rank 1.
struct Box {
  Point first{};
  Point last{};

  Interval along(int axis) const { return {first[axis], last[axis]}; }
  void set(int axis, Interval interval) {
    first[axis] = interval.first;
    last[axis] = interval.last;
  }
  Point extent() const;
  /// Number of points; throws ShapeError on overflow.
  Index points() const { return stencil::points(extent()); }
  bool empty() const;
  bool contains(const Point& point) const;
  bool contains(const Box& other) const;
  friend bool operator==(const Box&, const Box&) = default;
};

/// Returns the box `[0, shape)`.
Box make_box(const Point& shape);

/// Intersection of two boxes (an empty box if they do not overlap).
Box intersect(const Box& a, const Box& b);

/// Returns the box with ghosts added on every side. An empty box is returned unchanged, because it
/// needs no ghosts.
Box grown(const Box& box, const Halo& halo);

/// Returns the box moved by `offset`.
Box shifted(const Box& box, const Point& offset);

/// Formats a box as in `[0,3,0)..[1,6,8)`.
std::string to_string(const Box& box);

}  // namespace stencil

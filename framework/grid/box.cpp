#include "framework/grid/box.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {

Interval intersect(const Interval& a, const Interval& b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

void require_ghosts(const Halo& halo) {
  const auto require = [](const Point& ghosts, const char* side) {
    for (const Axis axis : {batch_axis, y_axis, x_axis})
      if (ghosts[axis] < 0)
        throw ShapeError(fmt::format("halo.{} has {} ghosts along {}: use 0 or more", side,
                                     ghosts[axis], to_string(axis)));
  };
  require(halo.low, "low");
  require(halo.high, "high");
}

std::string to_string(const Halo& halo) {
  return fmt::format("low {}, high {}", to_string(halo.low), to_string(halo.high));
}

Point Box::extent() const {
  return {along(0).extent(), along(1).extent(), along(2).extent()};
}

bool Box::empty() const {
  return along(0).empty() || along(1).empty() || along(2).empty();
}

bool Box::contains(const Point& point) const {
  for (int axis = 0; axis < axes; ++axis)
    if (!along(axis).contains(point[axis])) return false;
  return true;
}

bool Box::contains(const Box& other) const {
  return other.empty() || intersect(*this, other) == other;
}

Box make_box(const Point& shape) {
  return {{}, shape};
}

Box intersect(const Box& a, const Box& b) {
  Box common;
  for (int axis = 0; axis < axes; ++axis) common.set(axis, intersect(a.along(axis), b.along(axis)));
  return common;
}

Box grown(const Box& box, const Halo& halo) {
  if (box.empty()) return box;
  Box result = box;
  for (int axis = 0; axis < axes; ++axis) {
    result.first[axis] = checked_add(box.first[axis], -halo.low[axis]);
    result.last[axis] = checked_add(box.last[axis], halo.high[axis]);
  }
  return result;
}

Box shifted(const Box& box, const Point& offset) {
  Box result;
  for (int axis = 0; axis < axes; ++axis) {
    result.first[axis] = checked_add(box.first[axis], offset[axis]);
    result.last[axis] = checked_add(box.last[axis], offset[axis]);
  }
  return result;
}

std::string to_string(const Box& box) {
  return fmt::format("[{},{},{})..[{},{},{})", box.first[0], box.first[1], box.first[2],
                     box.last[0], box.last[1], box.last[2]);
}

}  // namespace stencil

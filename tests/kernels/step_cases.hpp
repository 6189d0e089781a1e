#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kernels/step_edges.hpp"
#include "tests/kernels/grid_data.hpp"

namespace stencil::testing {

using Random = std::mt19937_64;

inline Index pick(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}

inline constexpr BoundaryRule rules[] = {BoundaryRule::reflect, BoundaryRule::mirror,
                                         BoundaryRule::nearest, BoundaryRule::wrap,
                                         BoundaryRule::constant};

/// Several steps of one stencil on the whole array (the world), and a block of the points of this
/// array. Masks of one and two axes have one plane.
struct StepCase {
  Mask mask;
  Method method = Method::direct;
  Point world{};
  Box block;
  std::array<BoundaryRule, axes> rule{};  ///< along batch, y and x
  double value = 0;
  Index steps = 1;

  std::string text() const {
    std::string t = to_string(widths()) + " centre " + to_string(centre()) + ", world " +
                    to_string(world) + ", block " + to_string(block) + ", " +
                    std::to_string(steps) + " steps,";
    for (const BoundaryRule r : rule) t += " " + std::string(to_string(r));
    return t + (method == Method::separable ? " separable" : " direct");
  }

  Point widths() const { return {mask.taps.depth, mask.taps.height, mask.taps.width}; }
  Point centre() const { return {mask.centre_plane, mask.centre[0], mask.centre[1]}; }

  StepAxis along(int axis) const {
    return {{-block.first[axis], world[axis] - block.first[axis]},
            rule[std::size_t(axis)],
            centre()[axis],
            widths()[axis] - 1 - centre()[axis]};
  }

  StepEdges edges() const {
    return {.axis = {along(y_axis), along(x_axis)}, .value = value, .batch = along(batch_axis)};
  }

  /// The initial points that are needed to compute the block.
  Box reads() const {
    Box box;
    for (int axis = 0; axis < axes; ++axis) {
      const Interval own{0, block.along(axis).extent()};
      const Interval start = reads_of_start(along(axis), level_spans(along(axis), own, steps));
      box.set(axis, {start.first + block.first[axis], start.last + block.first[axis]});
    }
    return box;
  }

  /// The points of the block in a view that begins with the first point of reads().
  template <class T>
  FieldView<const T> block_in(FieldView<const T> view) const {
    const Box box = reads();
    view.data = &view.at(block.first[0] - box.first[0], block.first[1] - box.first[1],
                         block.first[2] - box.first[2]);
    view.extent = block.extent();
    return view;
  }
};

/// Returns the points and ghosts of a box. Each ghost is computed from the world by the boundary
/// rules.
template <class T>
Grid<T> with_ghosts(const StepCase& c, const Grid<T>& world, const Box& box, T guard) {
  Grid<T> grid(box.extent(), guard);
  return grid.set([&](Index b, Index y, Index x) {
    const Point at{b + box.first[0], y + box.first[1], x + box.first[2]};
    Point from;
    for (int axis = 0; axis < axes; ++axis) {
      const auto source = source_index(c.rule[std::size_t(axis)], at[axis], c.world[axis]);
      if (!source) return T(c.value);
      from[axis] = *source;
    }
    return world.read().at(from[0], from[1], from[2]);
  });
}

/// Computes one step after the other on the whole world, and refills the ghosts before each step.
template <class T>
Grid<T> step_by_step(const StepCase& c, const Stencil<T>& stencil, Grid<T> world) {
  StepCase whole = c;
  whole.block = make_box(c.world);
  Box box;
  for (int axis = 0; axis < axes; ++axis)
    box.set(axis, whole.along(axis).reads({0, c.world[axis]}));
  for (Index n = 0; n < c.steps; ++n) {
    const Grid<T> ghosted = with_ghosts(c, world, box, T(0));
    convolve_cpu<T>(stencil, ghosted.read(), world.view());
  }
  return world;
}

/// An interval of an axis: all points, or any part.
inline Interval drawn_part(Random& random, Index extent) {
  if (pick(random, 0, 1) == 0) return {0, extent};
  const Index first = pick(random, 0, extent - 1);
  return {first, pick(random, first + 1, extent)};
}

/// Random numbers of very different magnitudes. If `wild` is not 0, about one number in `wild` is
/// infinite or NaN, so that these values do not spread over the whole grid.
template <class T>
Grid<T> drawn(Random& random, const Point& extent, Index wild) {
  std::normal_distribution<double> normal;
  Grid<T> grid(extent, T(0));
  return grid.set([&](Index, Index, Index) {
    const Index kind = wild > 0 ? pick(random, 0, 4 * wild) : 9;
    if (kind == 0) return std::numeric_limits<double>::infinity();
    if (kind == 1) return -std::numeric_limits<double>::infinity();
    if (kind == 2) return std::nan("");
    if (kind == 3) return -std::nan("77");
    return normal(random) * std::pow(10.0, double(pick(random, -4, 4)));
  });
}

}  // namespace stencil::testing

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

/// Several steps of one stencil on one world, and a block of its points.
struct StepCase {
  Mask mask;
  Method method = Method::direct;
  Point world{};
  Box block;
  std::array<BoundaryRule, 2> rule{};
  double value = 0;
  Index steps = 1;

  std::string text() const {
    std::string t = std::to_string(mask.taps.height) + " x " + std::to_string(mask.taps.width) +
                    " centre " + std::to_string(mask.centre[0]) + " " +
                    std::to_string(mask.centre[1]) + ", world " + to_string(world) + ", block " +
                    to_string(block) + ", " + std::to_string(steps) + " steps,";
    for (const BoundaryRule r : rule) t += " " + std::string(to_string(r));
    return t + (method == Method::separable ? " separable" : " direct");
  }

  StepEdges edges() const {
    StepEdges edges{.axis = {}, .value = value};
    for (int k = 0; k < 2; ++k) {
      const Index width = k == 0 ? mask.taps.height : mask.taps.width;
      edges.axis[k] = {{-block.first[k + 1], world[k + 1] - block.first[k + 1]},
                       rule[k],
                       mask.centre[k],
                       width - 1 - mask.centre[k]};
    }
    return edges;
  }

  /// The initial points that the block declares to read.
  Box reads() const {
    Box box = block;
    const StepEdges around = edges();
    for (int axis = 1; axis < axes; ++axis) {
      const StepAxis& along = around.axis[axis - 1];
      const Interval own{0, block.along(axis).extent()};
      const Interval start = reads_of_start(along, level_spans(along, own, steps));
      box.set(axis, {start.first + block.first[axis], start.last + block.first[axis]});
    }
    return box;
  }
};

/// The world with the ghosts of a box, each computed from the boundary rule by its index.
template <class T>
Grid<T> with_ghosts(const StepCase& c, const Grid<T>& world, const Box& box, T guard) {
  Grid<T> grid(box.extent(), guard);
  return grid.set([&](Index b, Index y, Index x) {
    const auto from_y = source_index(c.rule[0], y + box.first[1], c.world[1]);
    const auto from_x = source_index(c.rule[1], x + box.first[2], c.world[2]);
    return from_y && from_x ? world.read().at(b + box.first[0], *from_y, *from_x) : T(c.value);
  });
}

/// Computes one step after the other on the whole world, and refills the ghosts before each.
template <class T>
Grid<T> step_by_step(const StepCase& c, const Stencil<T>& stencil, Grid<T> world) {
  const Point reach{0, c.mask.centre[0], c.mask.centre[1]};
  Box box = make_box(c.world);
  for (int axis = 1; axis < axes; ++axis) {
    box.first[axis] -= reach[axis];
    box.last[axis] += (axis == 1 ? stencil.height : stencil.width) - 1 - reach[axis];
  }
  for (Index n = 0; n < c.steps; ++n) {
    const Grid<T> ghosted = with_ghosts(c, world, box, T(0));
    convolve_cpu<T>(stencil, ghosted.read(), world.view());
  }
  return world;
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

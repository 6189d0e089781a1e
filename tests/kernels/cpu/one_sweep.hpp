#pragma once

#include <limits>

#include "kernels/cpu/advance_cpu.hpp"
#include "tests/kernels/conditions.hpp"
#include "tests/kernels/step_cases.hpp"

namespace stencil::testing {

/// Advances a block by advance_cpu from exactly the points that StepCase::reads() lists, with NaN
/// around these points.
template <class T>
Grid<T> in_one_sweep(const StepCase& c, const Stencil<T>& stencil, const Grid<T>& world) {
  const Grid<T> source = with_ghosts(c, world, c.reads(), std::numeric_limits<T>::quiet_NaN());
  Grid<T> target(c.block.extent(), T(77));
  advance_cpu<T>(stencil, c.edges(), c.steps, c.block_in(source.read()), target.view());
  EXPECT_TRUE(target.guards_untouched()) << c.text();
  return target;
}

/// Checks that all steps in one sweep have the same bits as one step after the other.
template <class T>
void check_one_sweep(const StepCase& c, const Grid<T>& start) {
  const auto stencil = make_stencil<T>(c.mask, c.method, {1, 1}, {});
  const Grid<T> all = step_by_step(c, stencil, start);
  Grid<T> expected(c.block.extent(), T(0));
  expected.set([&](Index b, Index y, Index x) {
    return all.read().at(b + c.block.first[0], y + c.block.first[1], x + c.block.first[2]);
  });
  const Grid<T> found = in_one_sweep(c, stencil, start);
  expect_same_bits(found.points_of(), expected.points_of(), c.text());
}

}  // namespace stencil::testing

// Several steps in one sweep have the same bits as single steps.

#include "kernels/cpu/advance_cpu.hpp"

#include "tests/kernels/cpu/one_sweep.hpp"

namespace stencil {
namespace {

using namespace testing;

/// A mask whose steps do not amplify the points; some taps are 0.
Mask drawn_mask(Random& random, Index height, Index width, bool outer) {
  std::normal_distribution<double> normal;
  const double scale = 1 / double(outer ? std::max(height, width) : height * width);
  const bool sparse = pick(random, 0, 2) == 0;
  const auto draw = [&] {
    return sparse && pick(random, 0, 2) == 0 ? 0.0 : normal(random) * (outer ? 0.7 : scale);
  };
  Mask mask = testing::drawn_mask(height, width, outer, draw);
  mask.centre = {pick(random, 0, height - 1), pick(random, 0, width - 1)};
  if (pick(random, 0, 1) == 0) mask.centre = {height / 2, width / 2};
  mask.multiply_zeros = pick(random, 0, 1) == 0;
  return mask;
}

StepCase drawn_case(Random& random, Index largest) {
  StepCase c;
  const Index shape = pick(random, 0, 3);
  const Index height = shape == 0 ? 1 : pick(random, 1, 6);
  const bool is_wide = pick(random, 0, 5) == 0;  // rows of many taps use a separate loop
  const Index width = shape == 1 ? 1 : is_wide ? pick(random, 8, 40) : pick(random, 1, 7);
  const bool outer = height > 1 && width > 1 && pick(random, 0, 1) == 0;
  c.mask = drawn_mask(random, height, width, outer);
  if (!outer && pick(random, 0, 2) == 0) {  // shapes of masks that have special inner loops
    c.mask = drawn_mask(random, 3, 3, false);
    if (pick(random, 0, 1) == 0)
      for (const int corner : {0, 2, 6, 8}) c.mask.taps.values[corner] = 0;
  }
  c.method = outer ? Method::separable : Method::direct;
  c.world = {pick(random, 1, 2), pick(random, 1, largest), pick(random, 1, largest)};
  if (pick(random, 0, 3) == 0) c.world[1] = pick(random, 1, 4);
  if (pick(random, 0, 3) == 0) c.world[2] = pick(random, 1, 4);
  for (int axis = 0; axis < axes; ++axis) c.block.set(axis, drawn_part(random, c.world[axis]));
  c.rule = {BoundaryRule::wrap, rules[pick(random, 0, 4)], rules[pick(random, 0, 4)]};
  c.value = double(pick(random, -2, 2));
  c.steps = pick(random, 1, 9);
  return c;
}

constexpr const char* extensions[] = {"baseline", "avx2", "avx512"};

template <class T>
class TimeWalk : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TimeWalk, Types);

TYPED_TEST(TimeWalk, AnyMaskBoundaryBlockAndNumberOfSteps) {
  using T = TypeParam;
  Random random(1);
  for (int i = 0; i < 3000 && !this->HasFatalFailure(); ++i) {
    const StepCase c = drawn_case(random, 70);
    const char* extension = extensions[i % 3];
    if (!available(extension)) continue;
    const Conditions conditions(extension, i % 5 == 0 ? 3 : 1);
    check_one_sweep<T>(c, drawn<T>(random, c.world, i % 2 * 500));
  }
}

/// Arrays of several panels and strips, on several threads.
TYPED_TEST(TimeWalk, ManyPiecesOnManyThreads) {
  using T = TypeParam;
  Random random(2);
  for (int i = 0; i < 24 && !this->HasFatalFailure(); ++i) {
    StepCase c = drawn_case(random, 9);
    c.world = i % 3 == 0   ? Point{1, 1, 40000}
              : i % 3 == 1 ? Point{1, 700, 90}
                           : Point{1, 130, 1500};
    for (int axis = 0; axis < axes; ++axis) c.block.set(axis, {0, c.world[axis]});
    if (i % 4 == 0) c.block.set(x_axis, {7, c.world[2] - 3});
    const Conditions conditions(available("avx512") ? "avx512" : "baseline", 1 + i % 7);
    check_one_sweep<T>(c, drawn<T>(random, c.world, i % 2 * 5000));
  }
}

/// The common 5-point and 9-point masks, with many steps in one sweep.
TYPED_TEST(TimeWalk, ManyStepsOfCommonMasks) {
  using T = TypeParam;
  Random random(3);
  for (const BoundaryRule rule : rules) {
    for (const bool five : {true, false}) {
      StepCase c;
      c.mask = Mask::grid(five ? std::vector<double>{0, .1, 0, .2, .4, .15, 0, .1, 0}
                               : std::vector<double>{.1, .1, .05, .2, .1, .15, .1, .1, .05},
                          3, 3);
      c.mask.multiply_zeros = false;
      c.rule = {rule, rule, rule};
      c.value = 0.5;
      c.steps = 33;
      for (const Point& world : std::vector<Point>{{1, 50, 1100}, {1, 203, 90}}) {
        c.world = world;
        c.block = make_box(c.world);
        for (const char* extension : extensions) {
          if (!available(extension)) continue;
          const Conditions conditions(extension, 2);
          check_one_sweep<T>(c, drawn<T>(random, c.world, 20000));
        }
      }
    }
  }
}

/// The last panel has one column at an edge, whose points are also the source of ghosts far beyond
/// the edge.
TYPED_TEST(TimeWalk, WideMasksOnNarrowPieces) {
  using T = TypeParam;
  Random random(4);
  for (const Index centre : {0, 10, 19}) {
    for (const BoundaryRule rule : rules) {
      StepCase c;
      c.mask = drawn_mask(random, 1, 20, false);
      c.mask.centre = {0, centre};
      c.world = {1, 3, 4100};
      c.block = make_box(c.world);
      c.block.set(x_axis, {centre == 19 ? 0 : 4099, centre == 19 ? 1 : 4100});
      c.rule = {rule, rule, rule};
      c.steps = 9;
      check_one_sweep<T>(c, drawn<T>(random, c.world, 0));
    }
  }
}

/// Products that underflow, some of them to -0, in the first or only in the second of two steps.
TEST(TimeWalkUnderflow, ZerosHaveNoSign) {
  Random random(5);
  std::normal_distribution<double> normal;
  for (const bool five : {true, false}) {
    for (const double size : {1e-160, 1e-80}) {
      StepCase c;
      std::vector<double> taps(9);
      for (Index k = 0; k < 9; ++k)
        taps[k] = five && k % 2 == 0 && k != 4 ? 0 : size * normal(random);
      c.mask = Mask::grid(taps, 3, 3);
      c.world = {1, 40, 90};
      c.block = make_box(c.world);
      c.rule = {BoundaryRule::wrap, BoundaryRule::reflect, BoundaryRule::mirror};
      c.steps = 2;
      Grid<double> start(c.world, 0.0);
      start.set([&](Index, Index, Index) { return 1e-170 * normal(random); });
      const auto stencil = make_stencil<double>(c.mask, c.method, {1, 1}, {});
      for (const double found : in_one_sweep(c, stencil, start).points_of())
        ASSERT_TRUE(found == 0 && !std::signbit(found)) << found;
    }
  }
}

}  // namespace
}  // namespace stencil

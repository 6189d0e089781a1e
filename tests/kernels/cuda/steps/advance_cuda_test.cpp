// Several steps in one sweep on a GPU compared with single steps on a CPU, bit for bit, including
// the guards around the target.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "framework/device/cuda/cuda_executor.hpp"
#include "kernels/cuda/steps/advance_cuda.hpp"
#include "kernels/step_depth.hpp"
#include "tests/kernels/cuda/twin_grid.hpp"
#include "tests/kernels/step_cases.hpp"

namespace stencil {
namespace {

using namespace testing;

constexpr unsigned all_patterns[] = {full_pattern, plus_pattern,   neighbour_pattern,
                                     row_pattern,  column_pattern, separable_pattern};

/// A centred mask with this pattern of taps whose steps do not amplify: of one row or column, 3 x
/// 3, or by factors of 3.
Mask mask_with(Random& random, unsigned pattern, double scale = 0.11) {
  std::normal_distribution<double> normal;
  std::vector<double> taps(9);
  for (unsigned k = 0; k < 9; ++k)
    taps[k] = pattern >> k & 1 ? scale * (normal(random) < 0 ? -1 : 1) * (1 + k % 4 * 0.07) : 0;
  if (pattern == row_pattern) return Mask::line({taps[3], taps[4], taps[5]});
  if (pattern == separable_pattern)
    return Mask::outer({scale * 4, scale * 3.3, -scale}, {taps[0] * 2, taps[1] * 3, taps[2]});
  if (pattern == column_pattern) return Mask::line({taps[1], taps[4], taps[7]}, y_axis);
  Mask mask = Mask::grid(taps, 3, 3);
  mask.multiply_zeros = false;
  return mask;
}

/// What the plan would ask for on a large block.
Index deepest(unsigned pattern) {
  return gpu_steps_per_sweep({.mask = {3, 3}, .block = {1000, 1000}, .steps = 1000}, pattern);
}

cuda::StepStreams streams_of(const cuda::CudaExecutor& executor) {
  return {executor.stream(Lane::exchange), executor.stream(Lane::work)};
}

template <class T>
class GpuSteps : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
    executor_ = std::make_unique<cuda::CudaExecutor>(0);
  }

  StepCase case_of(unsigned pattern, Index steps, const Point& world) {
    StepCase c;
    c.mask = mask_with(random_, pattern);
    c.method = pattern == separable_pattern ? Method::separable : Method::direct;
    c.world = world;
    c.block = make_box(world);
    c.rule = {rules[pick(random_, 0, 4)], rules[pick(random_, 0, 4)]};
    c.value = double(pick(random_, -2, 2)) / 4;
    c.steps = steps;
    return c;
  }

  /// A block of the world: all of it or any part, along each axis.
  void draw_block(StepCase& c) {
    for (int axis = 0; axis < axes; ++axis) {
      if (pick(random_, 0, 1) == 0) continue;
      const Index first = pick(random_, 0, c.world[axis] - 1);
      c.block.set(axis, {first, pick(random_, first + 1, c.world[axis])});
    }
  }

  void check(const StepCase& c, Index wild = 0) { check(c, drawn<T>(random_, c.world, wild)); }

  /// Advances the block from exactly the points that it declares to read, with NaN around them, in
  /// fields and in views with any alignment.
  void check(const StepCase& c, const Grid<T>& start) {
    const auto stencil = make_stencil<T>(c.mask, c.method, {1, 1}, {});
    const Grid<T> world = step_by_step(c, stencil, start);
    const Box box = c.reads();
    const Grid<T> ghosted = with_ghosts(c, start, box, T(0));
    constexpr Index line = 64 / sizeof(T);
    const Index left = c.block.first[2] - box.first[2];
    for (const Placement from : {Placement{2 * line - left, 5, line}, Placement{3, 4, 1}}) {
      const Placement to = from.multiple > 1 ? Placement{line, 0, line} : Placement{1, 3, 1};
      const T guard = T(77);
      TwinGrid<T> source(box.extent(), std::numeric_limits<T>::quiet_NaN(), from);
      source.set([&](Index b, Index y, Index x) { return ghosted.read().at(b, y, x); });
      source.upload();
      TwinGrid<T> expected(c.block.extent(), guard, to), found(c.block.extent(), guard, to);
      expected.set([&](Index b, Index y, Index x) {
        return world.read().at(b + c.block.first[0], y + c.block.first[1], x + c.block.first[2]);
      });
      found.upload();
      Box owned = make_box(c.block.extent());
      for (int axis = 1; axis < axes; ++axis) {
        owned.first[axis] += c.block.first[axis] - box.first[axis];
        owned.last[axis] += c.block.first[axis] - box.first[axis];
      }
      cuda::advance_cuda<T>(stencil, c.edges(), c.steps,
                            FieldView<const T>(source.on_device()).window(owned), found.on_device(),
                            streams_of(*executor_));
      executor_->synchronize();
      found.download();
      if (std::memcmp(found.host.data(), expected.host.data(), found.host.size() * sizeof(T)) == 0)
        continue;
      std::size_t differing = 0, first = 0;
      for (std::size_t k = found.host.size(); k-- > 0;)
        if (std::memcmp(&found.host[k], &expected.host[k], sizeof(T)) != 0) ++differing, first = k;
      ADD_FAILURE() << c.text() << (from.multiple > 1 ? " in fields: " : " anywhere: ") << differing
                    << " elements differ, first element " << first << ": expected "
                    << expected.host[first] << " found " << found.host[first];
    }
  }

  Random random_{77};

 private:
  std::unique_ptr<cuda::CudaExecutor> executor_;
};

using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GpuSteps, Types);

TYPED_TEST(GpuSteps, EveryDepthOnPartsOfWorlds) {
  for (const unsigned pattern : all_patterns)
    for (Index steps = 1; steps <= deepest(pattern); ++steps)
      for (const Point& world : {Point{1, 61, 333}, Point{3, 90, 57}}) {
        StepCase c = this->case_of(pattern, steps, world);
        this->draw_block(c);
        this->check(c, 2000);
      }
}

TYPED_TEST(GpuSteps, EveryRuleOnEveryEdge) {
  for (const BoundaryRule along_y : rules)
    for (const BoundaryRule along_x : rules)
      for (const unsigned pattern : all_patterns) {
        StepCase c = this->case_of(pattern, deepest(pattern), {1, 70, 150});
        c.rule = {along_y, along_x};
        this->check(c);
      }
}

/// Worlds that are smaller than what a sweep reaches, down to one point.
TYPED_TEST(GpuSteps, SmallWorlds) {
  for (int i = 0; i < 150; ++i) {
    const unsigned pattern = all_patterns[i % 6];
    StepCase c = this->case_of(
        pattern, pick(this->random_, 1, deepest(pattern)),
        {pick(this->random_, 1, 3), pick(this->random_, 1, 40), pick(this->random_, 1, 40)});
    this->draw_block(c);
    this->check(c, i % 2 * 300);
  }
}

/// More strips than a block has warps, more rows than one warp walks down, worlds that end within
/// the columns of a lane.
TYPED_TEST(GpuSteps, ManyStripsAndParts) {
  for (const Point& world : {Point{1, 900, 2003}, Point{2, 1500, 440}, Point{5, 37, 1000}})
    for (const unsigned pattern : all_patterns)
      for (const Index steps : {deepest(pattern), Index{4}, Index{5}}) {
        StepCase c = this->case_of(pattern, steps, world);
        this->check(c, 100000);
        c.rule = {BoundaryRule::wrap, BoundaryRule::wrap};
        this->check(c);
      }
}

/// Signals alone, in a stack, and in planes of one row each.
TYPED_TEST(GpuSteps, LongLines) {
  for (const Point& world : {Point{1, 1, 40000}, Point{40, 1, 3001}, Point{3, 150, 700}})
    for (const Index steps : {Index{16}, Index{7}}) {
      StepCase c = this->case_of(row_pattern, steps, world);
      this->check(c, 50000);
      this->draw_block(c);
      this->check(c);
      c.rule = {BoundaryRule::wrap, BoundaryRule::wrap};
      this->check(c);
    }
}

/// A mask of the full pattern in which some taps are 0 and are not skipped.
TYPED_TEST(GpuSteps, ZerosThatAreMultiplied) {
  StepCase c = this->case_of(plus_pattern, 8, {1, 64, 200});
  c.mask.multiply_zeros = true;
  this->check(c, 500);
}

TEST(GpuStepsRefusals, OtherMasksAndDeeperSweepsAreNoneOfTheirs) {
  const StepAxis centred{{0, 9}, BoundaryRule::reflect, 1, 1}, beside{{0, 9}, {}, 0, 2};
  const auto refuses = [](const Mask& mask, Method method, const StepEdges& edges, Index steps) {
    const auto stencil = make_stencil<float>(mask, method, {1, 1}, {});
    EXPECT_THROW(cuda::advance_cuda<float>(stencil, edges, steps, {}, {}, {}), std::logic_error);
  };
  Random random(1);
  const Mask nine = mask_with(random, full_pattern);
  refuses(nine, Method::direct, {.axis = {centred, centred}}, 9);
  refuses(nine, Method::direct, {.axis = {centred, beside}}, 4);
  refuses(mask_with(random, 0273), Method::direct, {.axis = {centred, centred}}, 2);
  Mask gap = Mask::outer({1, 0, 1}, {1, 2, 1});
  gap.multiply_zeros = false;
  refuses(gap, Method::separable, {.axis = {centred, centred}}, 2);
  refuses(Mask::line({1, 2, 3, 2, 1}), Method::direct,
          {.axis = {StepAxis{{0, 9}, {}, 0, 0}, StepAxis{{0, 9}, {}, 2, 2}}}, 2);
}

/// Products that underflow, some to -0, in the last of two steps and in the one before it.
TEST(GpuStepsUnderflow, ZerosHaveNoSign) {
  if (!cuda::have_gpu()) GTEST_SKIP() << "no GPU here: the CUDA kernels were not run";
  cuda::CudaExecutor executor(0);
  Random random(5);
  std::normal_distribution<double> normal;
  for (const unsigned pattern : all_patterns)
    for (const double size : {1e-160, 1e-80}) {
      const Mask mask = mask_with(random, pattern, size);
      const bool factors = pattern == separable_pattern;
      const auto stencil =
          make_stencil<double>(mask, factors ? Method::separable : Method::direct, {1, 1}, {});
      const Point world{1, 40, 200};
      TwinGrid<double> source(world, 0, {}), target(world, 77, {});
      source.set([&](Index, Index, Index) { return 1e-170 * normal(random); });
      source.upload();
      const Index above = stencil.height / 2, beside = stencil.width / 2;
      const StepAxis y{{0, world[1]}, BoundaryRule::reflect, above, above};
      const StepAxis x{{0, world[2]}, BoundaryRule::mirror, beside, beside};
      cuda::advance_cuda<double>(stencil, {.axis = {y, x}}, 2, source.on_device(),
                                 target.on_device(), streams_of(executor));
      executor.synchronize();
      target.download();
      for (Index i = 0; i < world[1]; ++i)
        for (Index k = 0; k < world[2]; ++k) {
          const double found = target.on_host().at(0, i, k);
          ASSERT_TRUE(found == 0 && !std::signbit(found)) << found;
        }
    }
}

}  // namespace
}  // namespace stencil

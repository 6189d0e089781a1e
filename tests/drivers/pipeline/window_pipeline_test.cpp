// Random windows of random chains, compared bit by bit with outputs that are computed as a whole.
#include "drivers/pipeline/window_pipeline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/fused_lines.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/fill_field.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::Random;
using testing::value_at;

Stage random_stage(Random& random, bool has_gaps) {
  Stage stage;
  const Index kind = random.pick(0, 4);
  if (kind == 0) {  // a mask over two axes
    const Index height = random.pick(1, 4), width = random.pick(1, 5);
    stage.mask = Mask::grid(random.taps(height * width), height, width);
  } else if (kind == 4) {
    const Index depth = random.pick(2, 4), height = random.pick(1, 4), width = random.pick(1, 5);
    stage.mask = Mask::volume({height, width, random.taps(depth * height * width), depth});
  } else {
    stage.mask = Mask::line(random.taps(random.pick(1, 7)), static_cast<Axis>(kind - 1));
  }
  const auto rule = static_cast<BoundaryRule>(random.pick(0, 4));
  stage.boundary = {rule, double(random.pick(-2, 2))};
  if (random.chance(3)) stage.steps = random.pick(2, 3);
  if (stage.steps == 1) {
    if (random.chance(3)) stage.extent = random.chance(2) ? Extent::valid : Extent::full;
    const bool along_x = stage.mask.rank == 1 && stage.mask.axis == x_axis;
    if (random.chance(3)) stage.stride[along_x ? 1 : 0] = random.pick(2, 3);
    if (stage.mask.rank == 3 && random.chance(3)) stage.plane_stride = random.pick(2, 3);
  }
  if (has_gaps) stage.min_valid = 0.3;
  return stage;
}

/// The output computed as a whole, in row-major order.
template <class T>
std::vector<T> whole(const Chain& chain, Executor& executor, bool has_gaps) {
  Session alone(MPI_COMM_SELF, executor);
  Pipeline<T> pipeline(alone, chain);
  Field<T> input = pipeline.make_input();
  fill_field(input, executor,
             [&](Index b, Index y, Index x) { return value_at(has_gaps, b, y, x); });
  return alone.gather(pipeline.run(std::move(input)), chain.output_shape());
}

/// Compares windows of random sizes, in any order, with the output that is computed as a whole.
template <class T>
void check(const Chain& chain, int axis, bool has_gaps, Random& random, const std::string& what) {
  CpuExecutor executor;
  const std::vector<T> expected = whole<T>(chain, executor, has_gaps);
  WindowPipeline<T> windows(executor, chain, axis);
  const Box world = make_box(chain.input_shape());
  const auto read = [&](const Box& box, FieldView<T> points) {
    ASSERT_TRUE(world.contains(box)) << to_string(box);
    ASSERT_EQ(points.extent, box.extent());
    for (Index b = 0; b < points.extent[0]; ++b)
      for (Index y = 0; y < points.extent[1]; ++y)
        for (Index x = 0; x < points.extent[2]; ++x)
          points.at(b, y, x) = static_cast<T>(
              value_at(has_gaps, box.first[0] + b, box.first[1] + y, box.first[2] + x));
  };
  const Point& shape = chain.output_shape();
  for (int n = 0; n < 3; ++n) {
    const Index first = random.pick(0, shape[axis] - 1);
    const Interval outputs{first, random.pick(first + 1, shape[axis])};
    const FieldView<const T> found = windows.run(outputs, read);
    for (Index b = 0; b < found.extent[0]; ++b)
      for (Index y = 0; y < found.extent[1]; ++y)
        for (Index x = 0; x < found.extent[2]; ++x) {
          Point at{b, y, x};
          at[axis] += first;
          const T& want =
              expected[static_cast<std::size_t>((at[0] * shape[1] + at[1]) * shape[2] + at[2])];
          ASSERT_EQ(std::memcmp(&found.at(b, y, x), &want, sizeof(T)), 0)
              << what << ", axis " << axis << ", outputs " << outputs.first << " to "
              << outputs.last << " of " << shape[axis] << ": " << found.at(b, y, x)
              << " instead of " << want << " at " << to_string(at);
        }
  }
}

TEST(WindowPipeline, AnyChainAnyWindow) {
  int tried = 0;
  const int cases = testing::cases(1200, 500);
  for (int number = 0; number < cases; ++number) {
    Random random(static_cast<unsigned>(number));
    const bool has_gaps = random.chance(4);
    std::vector<Stage> stages;
    for (Index count = random.pick(1, 3); count > 0; --count)
      stages.push_back(random_stage(random, has_gaps));
    const Point shape{random.pick(1, 9), random.pick(1, 40), random.pick(1, 40)};
    const Precision precision = random.chance(2) ? Precision::float64 : Precision::float32;
    Chain chain;
    try {
      chain = make_chain(stages, shape, precision);
      // the chain is not possible: for example, a mask is wider than the array
    } catch (const ShapeError&) {
      continue;
    }
    if (points(chain.output_shape()) == 0) continue;
    const int axis = static_cast<int>(random.pick(0, 2));
    const std::string what = "case " + std::to_string(number);
    if (precision == Precision::float64)
      check<double>(chain, axis, has_gaps, random, what);
    else
      check<float>(chain, axis, has_gaps, random, what);
    if (::testing::Test::HasFatalFailure()) return;
    ++tried;
  }
  EXPECT_GT(tried, cases * 2 / 3);
}

/// Masks along batch, y and x, which are computed in one pass if this gives the same bits.
TEST(WindowPipeline, ThreeLinesInOnePass) {
  int fused = 0;
  for (unsigned number = 0; number < 300; ++number) {
    Random random(7000 + number);
    std::vector<Stage> stages;
    if (random.chance(4)) stages.push_back(random_stage(random, false));
    for (int axis = 0; axis < axes; ++axis) {
      Stage stage;
      stage.mask = Mask::line(random.taps(random.pick(1, 7)), static_cast<Axis>(axis));
      stage.boundary = {static_cast<BoundaryRule>(random.pick(0, 4)),
                        random.chance(2) ? 0.0 : double(random.pick(-2, 2))};
      if (random.chance(12)) stage.steps = 2;
      if (random.chance(12)) stage.extent = Extent::full;
      stages.push_back(stage);
    }
    if (random.chance(4)) stages.push_back(random_stage(random, false));
    const Point shape{random.pick(1, 12), random.pick(1, 30), random.pick(1, 40)};
    Chain chain;
    try {
      chain = make_chain(stages, shape, random.chance(2) ? Precision::float64 : Precision::float32);
    } catch (const ShapeError&) {  // a mask is wider than the array
      continue;
    }
    if (points(chain.output_shape()) == 0) continue;
    fused += fuse_lines(chain.stages, 0) || fuse_lines(chain.stages, 1);
    const int axis = static_cast<int>(random.pick(0, 2));
    const std::string what = "lines " + std::to_string(number);
    if (chain.precision == Precision::float64)
      check<double>(chain, axis, false, random, what);
    else
      check<float>(chain, axis, false, random, what);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(fused, 100);
}

/// One pass also computes sums at the ghost points along y and x, and in narrow volumes most points
/// are ghost points.
TEST(WindowPipeline, NarrowVolumesTakeThreePasses) {
  const auto is_fused = [](const Point& shape) {
    std::vector<Stage> stages(axes);
    for (int axis = 0; axis < axes; ++axis)
      stages[std::size_t(axis)].mask =
          Mask::line(std::vector<double>(33, 1.0 / 33), static_cast<Axis>(axis));
    return fuse_lines(make_chain(stages, shape, Precision::float32).stages, 0).has_value();
  };
  EXPECT_FALSE(is_fused({1000, 40, 40}));
  EXPECT_TRUE(is_fused({40, 256, 256}));
}

/// Many steps with periodic edges: each window reads exactly the inputs that it needs.
TEST(WindowPipeline, PeriodicSteps) {
  for (unsigned number = 0; number < 30; ++number) {
    Random random(3000 + number);
    std::vector<Stage> stages;
    for (Index count = random.pick(1, 2); count > 0; --count) {
      Stage stage;
      const Index height = random.pick(1, 4), width = random.pick(1, 3);
      stage.mask = Mask::grid(random.taps(height * width), height, width);
      stage.boundary = BoundaryRule::wrap;
      stage.steps = random.pick(1, 9);
      stages.push_back(stage);
    }
    const Chain chain =
        make_chain(stages, {random.pick(1, 3), random.pick(30, 60), 20}, Precision::float64);
    ASSERT_TRUE(is_periodic_throughout(chain, y_axis));
    check<double>(chain, y_axis, false, random, "periodic " + std::to_string(number));
    if (::testing::Test::HasFatalFailure()) return;
  }
  Stage stage;
  stage.mask = Mask::line({1, 2, 1}, y_axis);
  stage.boundary = BoundaryRule::wrap;
  stage.steps = 20;
  const Chain chain = make_chain({stage}, {1, 500, 4}, Precision::float32);
  CpuExecutor executor;
  WindowPipeline<float> windows(executor, chain, y_axis);
  Index rows = 0;
  windows.run({0, 10},
              [&](const Box& box, FieldView<float>) { rows += box.along(y_axis).extent(); });
  EXPECT_EQ(rows, 50);
}

/// Transforms are computed for pairs of blocks, whose positions on the whole axis are fixed.
TEST(WindowPipeline, Transforms) {
  for (unsigned number = 0; number < 12; ++number) {
    Random random(1000 + number);
    Stage stage;
    const Axis axis = random.chance(2) ? x_axis : y_axis;
    stage.mask = Mask::line(random.taps(random.pick(90, 400)), axis);
    stage.boundary = {static_cast<BoundaryRule>(number % 5), 0.5};
    stage.method = MethodRequest::fft;
    if (random.chance(3)) stage.stride[axis == x_axis ? 1 : 0] = 3;
    Point shape{1, 3, 3};
    shape[axis] = random.pick(2000, 30000);
    const Chain chain = make_chain({stage}, shape, Precision::float32);
    ASSERT_EQ(chain.stages[0].choice.method, Method::fft);
    check<float>(chain, axis, false, random, "transform " + std::to_string(number));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(WindowPipeline, TransformsOfTwoAxes) {
  for (unsigned number = 0; number < 20; ++number) {
    Random random(2000 + number);
    Stage stage;
    const Index height = random.pick(2, 20), width = random.pick(2, 20);
    stage.mask = Mask::grid(random.taps(height * width), height, width);
    stage.boundary = {static_cast<BoundaryRule>(number % 5), 0.5};
    stage.method = MethodRequest::fft;
    if (random.chance(3)) stage.stride = {random.pick(1, 3), random.pick(1, 3)};
    const Point shape{random.pick(1, 3), random.pick(20, 400), random.pick(20, 300)};
    const Chain chain = make_chain({stage}, shape, Precision::float32);
    ASSERT_FALSE(chain.stages[0].choice.tiles.empty());
    for (const int axis : {batch_axis, y_axis, x_axis})
      check<float>(chain, axis, number % 4 == 0, random, "tiles " + std::to_string(number));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(WindowPipeline, RefusesWindowsThatSeparateChannels) {
  CpuExecutor executor;
  Stage stage;
  stage.channels = make_channel_mask({3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}, 1);
  const Chain chain = make_chain({stage}, {8, 4, 4}, Precision::float32);
  const auto ones = [](const Box&, FieldView<float> points) {
    for (Index b = 0; b < points.extent[0]; ++b)
      for (Index y = 0; y < points.extent[1]; ++y)
        std::fill_n(&points.at(b, y, 0), points.extent[2], 1.0F);
  };
  WindowPipeline<float> windows(executor, chain, batch_axis);
  EXPECT_EQ(windows.run({3, 6}, ones).at(2, 3, 3), 11);
  EXPECT_THROW(windows.run({3, 5}, ones), ShapeError);
  EXPECT_THROW(windows.run({2, 6}, ones), ShapeError);
}

TEST(WindowPipeline, PassesOnWhatReadingThrows) {
  CpuExecutor executor;
  Stage stage;
  stage.mask = Mask::line({1, 2, 1}, y_axis);
  WindowPipeline<float> windows(executor, make_chain({stage}, {1, 50, 4}, Precision::float32),
                                y_axis);
  EXPECT_THROW(
      windows.run({3, 9}, [](const Box&, FieldView<float>) { throw StorageError("gone"); }),
      StorageError);
}

}  // namespace
}  // namespace stencil

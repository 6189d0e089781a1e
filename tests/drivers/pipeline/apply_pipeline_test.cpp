// apply() compared bit by bit with a Pipeline on one rank, for random chains, types, layouts and
// numbers of threads.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "drivers/pipeline/apply.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/fill_field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/families/families_savgol.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

using testing::Random;
using testing::value_at;

Stage random_stage(Random& random, bool has_gaps) {
  Stage stage;
  const Index kind = random.pick(0, 7);
  const auto grid = [&] {
    const Index most = random.chance(4) ? 16 : 6;
    const Index height = random.pick(1, most), width = random.pick(1, most);
    return Mask::grid(random.taps(height * width), height, width);
  };
  if (kind <= 2)
    stage.mask = Mask::line(random.taps(random.pick(1, random.chance(4) ? 70 : 12)),
                            static_cast<Axis>(kind));
  else if (kind <= 4)
    stage.mask = grid();
  else if (kind == 5)
    stage.mask = Mask::outer(random.taps(random.pick(2, 7)), random.taps(random.pick(2, 7)));
  else if (kind == 6 && !has_gaps)
    stage.channels = make_channel_mask({3, 2, 2, 3}, random.taps(36));
  else
    stage.bank = {Mask::line(random.taps(4)), Mask::line(random.taps(4))};
  stage.boundary = {static_cast<BoundaryRule>(random.pick(0, 4)),
                    static_cast<BoundaryRule>(random.pick(0, 4)),
                    static_cast<BoundaryRule>(random.pick(0, 4)), double(random.pick(-2, 2))};
  if (kind < 6 && random.chance(3)) stage.steps = random.pick(2, 12);
  if (stage.steps == 1) {
    if (random.chance(3)) stage.extent = random.chance(2) ? Extent::valid : Extent::full;
    const bool along_x =
        stage.bank.size() > 0 || (stage.mask.rank == 1 && stage.mask.axis == x_axis);
    if (random.chance(3)) stage.stride[along_x ? 1 : 0] = random.pick(2, 3);
  }
  if (kind <= 2 && !has_gaps && random.chance(3)) {
    Stage fitted{.mask = Mask::line(savgol_taps(7, 2, 0, 1), static_cast<Axis>(kind))};
    fitted.edge_fit = savgol_fit(7, 2, 0, 1);
    return fitted;
  }
  if (has_gaps) stage.min_valid = 0.3;
  if (kind < 5 && stage.steps == 1 && random.chance(4)) stage.method = MethodRequest::fft;
  return stage;
}

template <class T>
std::vector<T> by_pipeline(const std::vector<Stage>& stages, const Point& shape, Point& outputs,
                           const std::function<double(Index, Index, Index)>& value) {
  CpuExecutor executor;
  Session alone(MPI_COMM_SELF, executor);
  Pipeline<T> pipeline(alone, stages, shape);
  outputs = pipeline.chain().output_shape();
  Field<T> input = pipeline.make_input();
  fill_field(input, executor, value);
  return alone.gather(pipeline.run(std::move(input)), outputs);
}

/// An array of {batch, y, x} points, whose layout in memory has gaps, and any order and direction
/// of the axes.
template <class T>
struct Laid {
  std::vector<std::byte> memory;
  ArrayView<T> view;

  Laid(Random& random, const Point& shape) {
    const AxisList extents{shape[0], shape[1], shape[2]};
    AxisList strides = row_major_strides(extents, sizeof(T));
    Index bytes = sizeof(T);
    std::array<int, 3> order{2, 1, 0};  // the axes, beginning with the fastest
    if (random.chance(3)) std::shuffle(order.begin(), order.end(), std::mt19937(unsigned(bytes)));
    if (random.chance(4)) std::swap(order[0], order[1]);
    Index offset = 0;
    const bool has_gaps = random.chance(2);
    for (const int axis : order) {
      strides[axis] = bytes;
      const Index extent = shape[std::size_t(axis)];
      bytes *= has_gaps ? extent + random.pick(0, 2) : extent;
      if (!random.chance(5)) continue;
      offset += (extent - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
    memory.assign(std::size_t(bytes), std::byte{0x5a});
    view = {reinterpret_cast<T*>(memory.data() + offset), extents, strides};
  }
  T& at(Index b, Index y, Index x) {
    return *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(view.data) + b * view.strides[0] +
                                 y * view.strides[1] + x * view.strides[2]);
  }
};

template <class T>
void check(const std::vector<Stage>& stages, const Point& shape, Random& random,
           const std::function<double(Index, Index, Index)>& value, const std::string& what,
           int& tried) {
  Point outputs;
  std::vector<T> expected;
  try {
    expected = by_pipeline<T>(stages, shape, outputs, value);
  } catch (const Error&) {  // the chain is not possible: for example, a mask is wider than the axis
    return;
  }
  ++tried;
  Laid<T> in(random, shape), out(random, outputs);
  for (Index b = 0; b < shape[0]; ++b)
    for (Index y = 0; y < shape[1]; ++y)
      for (Index x = 0; x < shape[2]; ++x) in.at(b, y, x) = static_cast<T>(value(b, y, x));
  const std::vector<std::byte> before = out.memory;
  for (const int threads : {1, 2 + tried % 2}) {
    out.memory = before;
    const Precision precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32;
    apply(stages, in.view, out.view, {.threads = threads, .precision = precision});
    std::vector<std::byte> rest = out.memory;
    for (Index b = 0; b < outputs[0]; ++b)
      for (Index y = 0; y < outputs[1]; ++y)
        for (Index x = 0; x < outputs[2]; ++x) {
          const T& want = expected[std::size_t((b * outputs[1] + y) * outputs[2] + x)];
          ASSERT_EQ(std::memcmp(&out.at(b, y, x), &want, sizeof(T)), 0)
              << what << " of " << to_string(shape) << ", " << threads
              << " threads: " << out.at(b, y, x) << " instead of " << want << " at "
              << to_string(Point{b, y, x});
          std::memset(
              rest.data() + (reinterpret_cast<std::byte*>(&out.at(b, y, x)) - out.memory.data()),
              0x5a, sizeof(T));
        }
    ASSERT_EQ(rest, before) << what << ": memory between the points was written";
  }
}

TEST(ApplyAsPipeline, AnyChainAnyLayout) {
  int tried = 0;
  const int cases = testing::cases(800, 300);
  for (int number = 0; number < cases; ++number) {
    Random random(static_cast<unsigned>(number));
    const bool has_gaps = random.chance(5);
    std::vector<Stage> stages;
    for (Index count = random.pick(1, 3); count > 0; --count)
      stages.push_back(random_stage(random, has_gaps));
    const bool is_long = random.chance(5);
    const Point shape{random.pick(1, 3) * 2, random.pick(1, is_long ? 120 : 40),
                      random.pick(1, is_long ? 200 : 40)};
    const auto value = [&](Index b, Index y, Index x) { return value_at(has_gaps, b, y, x); };
    const std::string what = "case " + std::to_string(number);
    if (random.chance(2))
      check<double>(stages, shape, random, value, what, tried);
    else
      check<float>(stages, shape, random, value, what, tried);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(tried, cases * 5 / 8);
}

/// Several steps of a star of 7 points, which share a sweep, compared with one call for each step.
TEST(ApplyAsPipeline, StepsOfThreeAxesAreThoseOfSingleCalls) {
  const Point shape{60, 70, 80};
  std::vector<double> taps(27);
  for (const std::size_t k : {4, 10, 12, 13, 14, 16, 22}) taps[k] = 0.1 + 0.01 * double(k);
  for (const BoundaryRule rule :
       {BoundaryRule::reflect, BoundaryRule::wrap, BoundaryRule::mirror, BoundaryRule::constant}) {
    Stage stage;
    stage.mask = Mask::volume({3, 3, taps, 3});
    stage.boundary = {rule, 0.25};
    std::vector<float> points(60 * 70 * 80), found(points.size()), next(points.size());
    for (std::size_t k = 0; k < points.size(); ++k)
      points[k] = float(value_at(false, 0, Index(k / 80), Index(k % 80)));
    const auto view = [&](std::vector<float>& values) {
      return ArrayView(values.data(), {shape[0], shape[1], shape[2]});
    };
    stage.steps = 9;
    ASSERT_GT(make_chain({stage}, shape, Precision::float32).stages[0].steps_per_sweep, 1);
    apply({stage}, view(points), view(found), {.threads = 2});
    stage.steps = 1;
    for (int step = 0; step < 9; ++step) {
      apply({stage}, view(points), view(next), {.threads = 2});
      std::swap(points, next);
    }
    ASSERT_EQ(std::memcmp(found.data(), points.data(), found.size() * sizeof(float)), 0)
        << to_string(rule);
  }
}

}  // namespace
}  // namespace stencil

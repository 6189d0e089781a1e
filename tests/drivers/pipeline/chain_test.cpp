// Chains of typed stages on arrays, without configurations, files or datasets.
#include "drivers/pipeline/chain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "drivers/pipeline/pipeline.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"

namespace stencil {
namespace {

Stage line(std::vector<double> taps, Axis axis = x_axis) {
  Stage stage;
  stage.mask = Mask::line(std::move(taps), axis);
  return stage;
}

Stage grid(Taps taps) {
  Stage stage;
  stage.mask = Mask::grid(std::move(taps));
  return stage;
}

double value_at(Index b, Index y, Index x) {
  return std::sin(0.37 * double(x) + 1.3 * double(y) + 0.7 * double(b)) + 0.01 * double(x % 17);
}

/// Sets the owned points of a rank to `value(b, y, x)` of their global indices.
template <class T, class Value>
void fill(Field<T>& field, const Value& value) {
  const Box owned = field.subdomain().owned;
  const FieldView<T> view = field.owned();
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) =
            static_cast<T>(value(owned.first[0] + b, owned.first[1] + y, owned.first[2] + x));
}

template <class T>
std::vector<T> values_of(const Field<T>& field) {
  std::vector<T> values;
  const FieldView<const T> view = field.owned();
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x) values.push_back(view.at(b, y, x));
  return values;
}

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::memcmp(&a[i], &b[i], sizeof(T)), 0) << what << " at " << i;
}

/// Tests the example in the documentation comment of Chain::reads.
TEST(Chain, ReadsWhatItsDocstringSays) {
  Stage second = line({1, 1, 1, 1, 1});
  second.stride = {1, 2};
  const Chain chain = make_chain({line({1, 2, 1}), second}, {1, 1, 100}, Precision::float32);
  EXPECT_EQ(chain.reads({{0, 0, 10}, {1, 1, 20}}), (Box{{0, 0, 17}, {1, 1, 42}}));
  EXPECT_TRUE(chain.reads({}).empty());
}

TEST(Chain, ReadsTheFarEdgeWhereItIsPeriodic) {
  Stage stage = line({1, 2, 1});
  for (const auto& [rule, wanted] : {std::pair{BoundaryRule::wrap, Interval{0, 100}},
                                     {BoundaryRule::reflect, {0, 6}},
                                     {BoundaryRule::constant, {0, 6}},
                                     {BoundaryRule::mirror, {0, 6}}}) {
    stage.boundary.rule[x_axis] = rule;
    const Chain chain = make_chain({stage}, {1, 1, 100}, Precision::float32);
    EXPECT_EQ(chain.reads({{0, 0, 0}, {1, 1, 5}}).along(x_axis), wanted) << to_string(rule);
  }
}

TEST(Chain, RefusesByTheNameOfTheStage) {
  Stage wide = line(std::vector<double>(50, 1.0));
  wide.name = "wide";
  wide.extent = Extent::valid;
  const auto message = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const ShapeError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(message([&] {
                make_chain({wide}, {1, 1, 40}, Precision::float32);
              }).starts_with("wide: "));
  EXPECT_FALSE(message([&] { make_chain({}, {1, 1, 40}, Precision::float32); }).empty());
  Stage steps = line({1, 2, 1});
  steps.steps = 3;
  steps.stride = {1, 2};
  EXPECT_NE(message([&] {
              make_chain({steps}, {1, 1, 40}, Precision::float32);
            }).find("keep the shape"),
            std::string::npos);
  Stage aside = line({1, 2, 1});
  aside.stride = {2, 1};
  EXPECT_NE(message([&] {
              make_chain({aside}, {1, 4, 40}, Precision::float32);
            }).find("no taps"),
            std::string::npos);
  Stage huge = line({1, 2, 1});
  huge.boundary = {BoundaryRule::constant, 1e300};
  EXPECT_NE(message([&] {
              make_chain({huge}, {1, 1, 40}, Precision::float32);
            }).find("float32"),
            std::string::npos);
  EXPECT_EQ(message([&] { make_chain({huge}, {1, 1, 40}, Precision::float64); }), "");
}

/// A stage with two input and three output channels, and a mask of one point.
Stage two_channels() {
  Stage stage;
  stage.name = "mix";
  stage.channels = make_channel_mask({3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}, 1);
  return stage;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Chain, KeepsTheChannelsOfAnImageTogether) {
  const Point shape{8, 4, 4};
  Chain chain = make_chain({two_channels()}, shape, Precision::float32);
  EXPECT_EQ(chain.batch_unit(), 2);
  for (const int ranks : {1, 2, 3, 4, 6, 8})
    EXPECT_NO_THROW(split(chain, choose_blocks(chain, ranks))) << ranks;
  EXPECT_NO_THROW(split(chain, Decomposition(shape, {4, 1, 1}, 2)));
  const std::string said = refusal_of([&] { split(chain, Decomposition(shape, {8, 1, 1})); });
  EXPECT_EQ(said.rfind("mix: ", 0), 0u) << said;
  EXPECT_NE(said.find("at multiples of 2"), std::string::npos) << said;
  // the bank computes the two channels of an image from each input
  Stage bank = line({1, 2, 1});
  // a bank of two masks, whose shape is that of the stage's mask
  bank.bank = {bank.mask, bank.mask};
  EXPECT_EQ(make_chain({bank, two_channels()}, shape, Precision::float32).batch_unit(), 1);
  EXPECT_EQ(make_chain({line({1}), grid({1, 1, {1}})}, shape, Precision::float32).batch_unit(), 1);
  Stage along_batch = line({1, 2, 1}, batch_axis);
  EXPECT_EQ(make_chain({along_batch, two_channels()}, shape, Precision::float32).batch_unit(), 2);
  along_batch.extent = Extent::valid;
  EXPECT_EQ(make_chain({along_batch, two_channels()}, shape, Precision::float32).batch_unit(), 8);
}

/// A chain whose blocks were set explicitly.
TEST(Chain, BlocksThatSeparateChannelsAreRefusedOnEveryRank) {
  const Communicator world(MPI_COMM_WORLD);
  Chain chain = make_chain({two_channels()}, {8, 4, 4}, Precision::float32);
  BoundStage& stage = chain.stages.front();
  stage.input = Decomposition({8, 4, 4}, {8, 1, 1});
  stage.output = stage.input.sampled(stage.sampling);
  CpuExecutor executor;
  Session session(MPI_COMM_WORLD, executor);
  EXPECT_NE(refusal_of([&] {
              Pipeline<float> pipeline(session, chain);
            }).find("separates the 2 channels"),
            std::string::npos);
}

TEST(Chain, RefusesABatchThatIsNotWholeImages) {
  const std::string said = refusal_of([] {
    make_chain({two_channels()}, {7, 4, 4}, Precision::float32);
  });
  EXPECT_NE(said.find("the batch extent 7"), std::string::npos) << said;
  EXPECT_NE(said.find("2 input channels"), std::string::npos) << said;
}

std::vector<Stage> random_stages(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  const auto taps = [&](int count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = std::uniform_real_distribution(-1.0, 1.0)(random);
    return values;
  };
  std::vector<Stage> stages;
  for (int i = pick(1, 3); i > 0; --i) {
    Stage stage;
    if (pick(0, 1) == 0) {
      stage = line(taps(pick(1, 7)), static_cast<Axis>(pick(0, 2)));
    } else {
      const int height = pick(1, 5), width = pick(1, 5);
      stage = grid({height, width, taps(height * width)});
    }
    for (BoundaryRule& rule : stage.boundary.rule) rule = static_cast<BoundaryRule>(pick(0, 4));
    stage.boundary.value = 0.25;
    if (pick(0, 2) == 0) {
      stage.steps = pick(2, 9);
    } else {
      stage.extent = static_cast<Extent>(pick(0, 2));
      const bool two = stage.mask.rank == 2;
      if (two || stage.mask.axis == x_axis) stage.stride[1] = pick(1, 3);
      if (two || stage.mask.axis != x_axis) stage.stride[0] = pick(1, 3);
    }
    stages.push_back(stage);
  }
  return stages;
}

/// An output depends only on the points that Chain::reads lists for it: all other points may be
/// NaN.
TEST(Chain, ReadsAllThatOutputsAreMadeOf) {
  const Communicator self(MPI_COMM_SELF);
  CpuExecutor executor;
  std::mt19937 random(7);
  const auto pick = [&](Index low, Index high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  int tried = 0;
  for (int round = 0; round < 300; ++round) {
    const Point shape{pick(1, 3), pick(6, 25), pick(6, 30)};
    Chain chain;
    try {
      chain = make_chain(random_stages(random), shape, Precision::float64);
    } catch (const ShapeError&) {
      continue;  // extent = valid, and the mask is wider than the output of the stages before
    }
    const Point made = chain.output_shape();
    if (points(made) == 0) continue;
    ++tried;
    Box part;
    for (int axis = 0; axis < axes; ++axis) {
      const Index first = pick(0, made[axis] - 1);
      part.set(axis, {first, pick(first + 1, made[axis])});
    }
    const Box needed = chain.reads(part);
    Session session(MPI_COMM_SELF, executor);
    Pipeline<double> pipeline(session, chain);
    Field<double> whole = pipeline.make_input(), partial = pipeline.make_input();
    fill(whole, value_at);
    fill(partial, [&](Index b, Index y, Index x) {
      return needed.contains(Box{{b, y, x}, {b + 1, y + 1, x + 1}})
                 ? value_at(b, y, x)
                 : std::numeric_limits<double>::quiet_NaN();
    });
    const Field<double> expected = pipeline.run(std::move(whole)),
                        found = pipeline.run(std::move(partial));
    const FieldView<const double> a = expected.window(part), b = found.window(part);
    for (Index k = 0; k < a.extent[0]; ++k)
      for (Index y = 0; y < a.extent[1]; ++y)
        for (Index x = 0; x < a.extent[2]; ++x)
          ASSERT_EQ(a.at(k, y, x), b.at(k, y, x))
              << "round " << round << " at " << k << " " << y << " " << x << ", " << to_string(part)
              << " of " << to_string(made) << " by " << to_string(needed);
  }
  EXPECT_GT(tried, 150);
}

/// A pipeline that stops after any number of steps, returns its points and continues gives the same
/// bits as a pipeline that does not stop.
TEST(Pipeline, AdvancesToTheSameBits) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor executor;
  std::mt19937 random(11);
  const auto pick = [&](Index low, Index high) {
    return std::uniform_int_distribution(low, high)(random);
  };
  for (int round = 0; round < 40; ++round) {
    const Point shape{pick(1, 2), pick(12, 60), pick(20, 90)};
    Stage first = grid({3, 3, {0, .1, 0, .2, .4, .15, 0, .1, 0}}),
          second = line({.25, .5, .2}, y_axis);
    first.steps = pick(1, 40);
    second.steps = pick(1, 5);
    for (Stage* stage : {&first, &second})
      stage->boundary.rule.fill(static_cast<BoundaryRule>(pick(0, 4)));
    Chain chain = make_chain({first, second, line({1, -1})}, shape, Precision::float32);
    split(chain, choose_blocks(chain, world.size()));
    Session session(MPI_COMM_WORLD, executor);
    Pipeline<float> pipeline(session, chain);
    Field<float> input = pipeline.make_input(), again = pipeline.make_input();
    fill(input, value_at);
    fill(again, value_at);
    const std::vector<float> expected = values_of(pipeline.run(std::move(input)));
    State<float> state = pipeline.start(std::move(again));
    Index seen = 0;
    while (state.steps_done < chain.steps()) {
      const Index until = std::min(chain.steps(), state.steps_done + pick(0, 7));
      pipeline.advance(state, until, [&](Index) { ++seen; });
      ASSERT_EQ(state.steps_done, until);
    }
    EXPECT_EQ(seen, chain.steps());
    expect_same_bits(expected, values_of(state.field), "round " + std::to_string(round));
    EXPECT_THROW(pipeline.advance(state, chain.steps() - 1), Error);
    EXPECT_THROW(pipeline.advance(state, chain.steps() + 1), Error);
  }
}

void set_masks(Stage& stage, std::vector<Mask> masks) {
  stage.rows->masks = std::make_shared<const std::vector<Mask>>(std::move(masks));
}

/// Returns a stage with a mask and a factor for each index on `axis`. The masks run along `along`,
/// and have 1, 3 and 5 taps in turn.
Stage varying_rows(const Point& shape, Axis along, Axis axis) {
  Stage stage = line({1, 1, 1, 1, 1}, along);
  stage.boundary.rule.fill(BoundaryRule::wrap);
  stage.rows = VaryingRows{axis, {}, {}};
  std::vector<Mask> masks;
  for (Index row = 0; row < shape[axis]; ++row) {
    stage.rows->factors.push_back(0.5 + double(row));
    masks.push_back(Mask::line(std::vector<double>(std::size_t(1 + 2 * (row % 3)), 1.0), along));
  }
  set_masks(stage, std::move(masks));
  return stage;
}

TEST(Pipeline, EachRowHasItsOwnMaskAndFactor) {
  const Communicator world(MPI_COMM_WORLD);
  CpuExecutor executor;
  const Point shape{6, 7, 8};
  for (const Axis along : {batch_axis, y_axis, x_axis})
    for (const Axis axis : {batch_axis, y_axis, x_axis}) {
      if (axis == along) continue;
      Session session(MPI_COMM_WORLD, executor);
      Pipeline<double> pipeline(session, {varying_rows(shape, along, axis)}, shape);
      Field<double> input = pipeline.make_input();
      fill(input, value_at);
      const Field<double> result = pipeline.run(std::move(input));
      const Box owned = result.subdomain().owned;
      const FieldView<const double> view = result.owned();
      Point at;
      for (at[0] = owned.first[0]; at[0] < owned.last[0]; ++at[0])
        for (at[1] = owned.first[1]; at[1] < owned.last[1]; ++at[1])
          for (at[2] = owned.first[2]; at[2] < owned.last[2]; ++at[2]) {
            const Index row = at[axis], reach = row % 3, extent = shape[along];
            double expected = 0;
            for (Index shift = -reach; shift <= reach; ++shift) {
              Point from = at;
              from[along] = (at[along] + shift + extent) % extent;
              expected += value_at(from[0], from[1], from[2]);
            }
            expected *= 0.5 + double(row);
            ASSERT_NEAR(
                view.at(at[0] - owned.first[0], at[1] - owned.first[1], at[2] - owned.first[2]),
                expected, 1e-12)
                << along << " " << axis << " at " << to_string(at);
          }
    }
}

TEST(Chain, RefusesRowsThatDoNotFitTheStage) {
  const Point shape{1, 6, 20};
  const auto refusal = [&](const auto& change, Backend backend = Backend::cpu) {
    Stage stage = varying_rows(shape, x_axis, y_axis);
    change(stage);
    return refusal_of([&] { make_chain({stage}, shape, Precision::float32, backend); });
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  EXPECT_EQ(refusal([](Stage&) {}), "");
  expect(refusal([](Stage& s) { s.rows->factors.pop_back(); }), "5 factors or masks for 6 rows");
  expect(refusal([](Stage& s) { set_masks(s, {5, s.mask}); }), "5 factors or masks for 6 rows");
  expect(refusal([](Stage& s) { s.mask = line({1, 1, 1}).mask; }), "reaches beyond");
  expect(refusal([](Stage& s) { set_masks(s, {6, line({1}, y_axis).mask}); }), "another axis");
  expect(refusal([](Stage& s) { set_masks(s, {6, line({1e300}).mask}); }), "too large for float32");
  expect(refusal([](Stage& s) {
           s.mask = grid({3, 3, std::vector<double>(9, 1.0)}).mask;
         }),
         "along one axis");
  expect(refusal([](Stage& s) { s.method = MethodRequest::fft; }), "method = direct");
  expect(refusal([](Stage& s) { s.steps = 2; }), "a single step of a single mask");
  expect(refusal([](Stage&) {}, Backend::cuda), "on CPUs only: write backend = cpu");
}

}  // namespace
}  // namespace stencil

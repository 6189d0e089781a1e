// Wrong use of the library on one to three ranks: each call is refused on every rank with one line
// that names the argument and its value, and the session can be used afterwards.
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/pipeline.hpp"
#include "drivers/pipeline/session.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "framework/grid/error.hpp"
#include "kernels/families/families_savgol.hpp"
#include "tests/support/backend.hpp"

namespace stencil {
namespace {

const Point world{1, 12, 10};

Stage heat(Index steps = 3) {
  return {
      .name = "heat", .mask = Mask::grid({0, .2, 0, .2, .2, .2, 0, .2, 0}, 3, 3), .steps = steps};
}

/// Code that must not compile: numbers instead of a mask, two boundary rules, and an axis in
/// addition to the mask.
template <class S>
concept TakesNumbersAsMask = requires {
  S{.mask = {1, 2, 1}};
};
template <class S>
concept TakesTwoRules = requires {
  S{.boundary = {BoundaryRule::wrap, BoundaryRule::wrap}};
};
template <class S>
concept TakesOneRule = requires {
  S{.boundary = BoundaryRule::wrap};
};
template <class S>
concept TakesAnAxis = requires {
  S{.mask_axis = 7};
};
static_assert(TakesOneRule<Stage>);
static_assert(!TakesNumbersAsMask<Stage> && !TakesTwoRules<Stage> && !TakesAnAxis<Stage>);

class WrongUse : public ::testing::Test {
 protected:
  Session session_{
      MPI_COMM_WORLD,
      {.backend = testing::backend_under_test(), .transport = testing::transport_under_test()}};
  const Decomposition rows_{world, {1, session_.size(), 1}};
  const Halo one_{{0, 1, 1}, {0, 1, 1}};

  /// Fails unless the call throws an error on every rank whose message contains all these texts.
  /// Ranks that did not throw would wait for the others in the following calls.
  void refused(const std::function<void()>& call, const std::vector<std::string>& words) {
    std::string message;
    try {
      call();
    } catch (const Error& error) {
      message = error.what();
      EXPECT_EQ(error.status(), Status::words) << message;
    }
    EXPECT_EQ(session_.communicator().sum(Index{message.empty()}), 0)
        << "not refused on rank " << session_.rank() << ": " << words.front();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << word << " is not in: " << message;
  }
  void refused(const Stage& stage, const Point& shape, const std::vector<std::string>& words) {
    refused([&] { Pipeline<double> pipeline(session_, {stage}, shape); }, words);
    runs(heat(), world);
  }
  void runs(const Stage& stage, const Point& shape) {
    Pipeline<double> pipeline(session_, {stage}, shape);
    Field<double> input = pipeline.make_input();
    session_.fill(input, [](Index, Index y, Index x) { return double(y * x); });
    EXPECT_NO_THROW(pipeline.run(std::move(input)));
  }
  bool is_last() const { return session_.rank() == session_.size() - 1; }
};

TEST_F(WrongUse, FieldsThatWereMovedFrom) {
  Pipeline<double> pipeline(session_, {heat()}, world);
  Field<double> input = pipeline.make_input();
  const Field<double> output = pipeline.run(std::move(input));
  refused([&] { pipeline.run(std::move(input)); }, {"moved from", "make_input()"});
  Field<double> field = session_.make_field<double>(rows_, one_), other = std::move(field);
  refused([&] { session_.gather(field, world); }, {"moved from"});
}

TEST_F(WrongUse, FieldsOfOthers) {
  Pipeline<double> pipeline(session_, {heat()}, world), wider(session_, {heat()}, {1, 12, 11});
  refused([&] { pipeline.run(wider.make_input()); }, {"make_input()"});
  refused([&] { pipeline.run(session_.make_field<double>(rows_, {})); }, {"make_input()"});
  refused([&] { pipeline.run(pipeline.run(pipeline.make_input())); }, {"make_input()"});
}

TEST_F(WrongUse, StatesThatGoBack) {
  Pipeline<double> pipeline(session_, {heat(5)}, world);
  State<double> state = pipeline.start(pipeline.make_input());
  pipeline.advance(state, 3);
  refused([&] { pipeline.advance(state, 2); }, {"3 steps", "to 2 of 5"});
  refused([&] { pipeline.advance(state, 9); }, {"to 9 of 5"});
  pipeline.advance(state, 5);
}

TEST_F(WrongUse, ArgumentsThatDifferBetweenRanks) {
  if (session_.size() == 1) GTEST_SKIP() << "on two ranks and more";
  const std::string last = " on rank " + std::to_string(session_.size() - 1);
  const auto pipeline_of = [&](const Stage& stage, const Point& shape) {
    Pipeline<double> pipeline(session_, {stage}, shape);
  };
  refused([&] { pipeline_of(heat(is_last() ? 5 : 3), world); },
          {"stage 0: steps = 5" + last, "steps = 3 on rank 0"});
  refused([&] { pipeline_of(heat(), {1, is_last() ? 13 : 12, 10}); }, {"1x13x10", "1x12x10"});
  Stage other = heat();
  if (is_last()) other.mask.taps.values[4] = 0.1;
  refused([&] { pipeline_of(other, world); }, {"stage 0: mask = 3x3 taps"});
  other = heat();
  if (is_last()) other.boundary.rule[x_axis] = BoundaryRule::wrap;
  refused([&] { pipeline_of(other, world); }, {"stage 0: boundary = reflect, reflect, wrap"});
  const std::vector<Stage> stages(is_last() ? 2 : 1, heat());
  refused([&] { Pipeline<double> pipeline(session_, stages, world); }, {"stages = 2" + last});
  Pipeline<double> pipeline(session_, {heat(5)}, world);
  State<double> state = pipeline.start(pipeline.make_input());
  refused([&] { pipeline.advance(state, is_last() ? 2 : 3); }, {"until = 2" + last, "until = 3"});
  EXPECT_EQ(state.steps_done, 0);
  pipeline.advance(state, 5);
  const Halo halo{{0, is_last() ? 2 : 1, 1}, {0, 1, 1}};
  refused([&] { session_.make_exchange<double>(rows_, halo, {}); }, {"halo = low 0x2x1", "0x1x1"});
}

TEST_F(WrongUse, MoreBlocksThanRanks) {
  const Decomposition many(world, {1, 2 * session_.size(), 1});
  const std::string blocks = to_string(many.grid());
  refused([&] { session_.make_field<double>(many, one_); }, {blocks, "blocks need as many ranks"});
  refused([&] { session_.make_exchange<double>(many, one_, {}); }, {blocks});
  Chain chain = make_chain({heat()}, world, Precision::float64);
  split(chain, many);
  refused([&] { Pipeline<double> pipeline(session_, chain); }, {"heat: ", blocks});
}

TEST_F(WrongUse, ChainsOfAnotherType) {
  Chain chain = make_chain({heat()}, world, Precision::float32);
  refused([&] { Pipeline<double> pipeline(session_, chain); }, {"float32", "float64"});
  refused([&] { Pipeline<double> pipeline(session_, Chain{}); }, {"without stages"});
}

TEST_F(WrongUse, NegativeHalos) {
  const Halo negative{{0, -1, 0}, {0, 0, 0}};
  const std::vector<std::string> words{"halo.low has -1 ghosts along y"};
  refused([&] { session_.make_field<double>(rows_, negative); }, words);
  refused([&] { session_.make_exchange<double>(rows_, negative, {}); }, words);
}

TEST_F(WrongUse, Stages) {
  refused(Stage{}, world, {"stage: ", "without taps"});
  refused(heat(0), world, {"heat: ", "0 steps"});
  refused(heat(-3), world, {"-3 steps"});
  refused(heat(), {1, 0, 5}, {"0"});
  refused(heat(), {1, -4, 5}, {"-4"});
  Stage stage = heat(1);
  stage.stride = {0, 1};
  refused(stage, world, {"stride 0"});
  stage = heat();
  stage.min_valid = 1.5;
  refused(stage, world, {"1.5"});
  stage = heat(1);
  stage.crop[x_axis].count = 11;
  refused(stage, world, {"11 outputs"});
  stage.crop[x_axis].count = -1;
  refused(stage, world, {"-1 outputs"});
  stage = heat(1);
  stage.mask.centre = {0, 5};
  refused(stage, world, {"centre of 0, 5"});
  stage.mask = Mask::line({1, 2, 1});
  stage.mask.axis = static_cast<Axis>(7);
  refused(stage, world, {"axis 7"});
  stage.mask.axis = y_axis;
  refused(stage, world, {"a mask along y of 1 rows and 3 columns"});
  stage = {.mask = Mask::line({1, 2, 1}), .stride = {2, 1}};
  refused(stage, world, {"a stride of 2 along y", "no taps"});
}

TEST_F(WrongUse, PolynomialsAtTheEdges) {
  const Stage fitted{.mask = Mask::line(savgol_taps(5, 2, 0, 1)),
                     .edge_fit = savgol_fit(5, 2, 0, 1)};
  if (session_.backend() == Backend::cuda) return refused(fitted, world, {"computed on CPUs only"});
  runs(fitted, world);
  const auto wrong = [&](const auto& change, const std::string& words) {
    Stage stage = fitted;
    change(stage);
    refused(stage, world, {"boundary = interp", words});
  };
  wrong([](Stage& stage) { stage.mask.centre = {0, 1}; }, "about its centre");
  wrong([](Stage& stage) { stage.extent = Extent::valid; }, "extent = same");
  wrong([](Stage& stage) { stage.stride = {1, 2}; }, "stride = 1");
  wrong([](Stage& stage) { stage.steps = 2; }, "steps = 1");
  wrong([](Stage& stage) { stage.min_valid = 0.5; }, "missing points");
  wrong([](Stage& stage) { stage.bank = {stage.mask, stage.mask}; }, "a single mask");
}

TEST_F(WrongUse, Channels) {
  const Stage mix{.name = "mix", .channels = make_channel_mask({2, 2, 1, 1}, {0, 1, 0, 1})};
  runs(mix, {2, 12, 10});
  refused(mix, {7, 12, 10}, {"mix: ", "the batch extent 7", "2 input channels"});
  Stage stage = mix;
  stage.mask = Mask::grid(std::vector<double>(25, 1), 5, 5);
  refused(stage, {2, 12, 10}, {"together with a mask of channels"});
  stage.mask = Mask::grid({0}, 1, 1);
  runs(stage, {2, 12, 10});  // the first plane of the channels
  stage.mask = Mask::grid({1}, 1, 1);
  refused(stage, {2, 12, 10}, {"not its first plane"});
  stage = mix;
  stage.channels->values.pop_back();
  refused(stage, {2, 12, 10}, {"with 3 taps"});
  stage = mix;
  stage.channels = ChannelMask();
  refused(stage, {2, 12, 10}, {"make_channel_mask"});
  stage = mix;
  stage.min_valid = 0.5;
  refused(stage, {2, 12, 10}, {"min_valid = 0.5"});
  stage = mix;
  stage.method = MethodRequest::separable;
  refused(stage, {2, 12, 10}, {"method"});
  stage = mix;
  stage.bank = {heat().mask};
  refused(stage, {2, 12, 10}, {"bank"});
}

TEST_F(WrongUse, Banks) {
  const Stage bank{.bank = {Mask::line({1, 2, 1}), Mask::line({1, 0, -1})}};
  runs(bank, world);
  Stage stage = bank;
  stage.bank.push_back(Mask::line({1, 2, 1}, y_axis));
  refused(stage, world, {"filter 2"});
  stage = bank;
  stage.mask = Mask::line({1, 2});
  refused(stage, world, {"filter 0"});
  stage = bank;
  stage.steps = 2;
  refused(stage, world, {"2 steps"});
  stage = {.bank = {Mask::line({1, 2}, batch_axis)}};
  refused(stage, world, {"along batch"});
}

}  // namespace
}  // namespace stencil

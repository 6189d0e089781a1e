#include "drivers/plan/make/split_axes.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/make/stage_axes.hpp"
#include "drivers/plan/split/volumes.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::named_facts;
using testing::with_axes;
using Axes = std::vector<int>;

TEST(SplitAxes, ThreeAreThreeStagesOfTheirOwnValues) {
  Config config = with_axes("gaussian", {"lon", 0, 1});
  config.stages[0].parameters.sigma = {1, 2, 3};
  config.stages[0].stride = {1, 2, 4};
  resolve_axes(config, named_facts());
  split_axes(config, 4);
  ASSERT_EQ(config.stages.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const StageConfig& stage = config.stages[i];
    EXPECT_EQ(given_axes(stage), (Axes{std::vector{2, 0, 1}[i]}));
    EXPECT_EQ(stage.parameters.sigma, (std::vector<double>{double(i + 1)}));
    EXPECT_EQ(stage.stride, (std::vector<Index>{Index{1} << i}));
    EXPECT_EQ(stage.rank, 1);
  }
  EXPECT_EQ(config.stages[1].name, "stencil, axis 0");
  Config bad = with_axes("gaussian", {2, 0, 1});
  bad.stages[0].parameters.sigma = {1, 2};
  EXPECT_THROW(make_problem(bad, named_facts(), {}, 1), WordsError);
}

TEST(SplitAxes, ADerivativeIsSmoothedAlongTheOtherTwo) {
  Config config = with_axes("sobel", {0, 1, 2});
  config.stages[0].axis = -3;
  resolve_axes(config, named_facts());
  split_axes(config, 4);
  EXPECT_EQ(config.stages[0].mask.values, (std::vector<double>{1, 2, 1}));
  EXPECT_NE(config.stages[1].mask.family, nullptr);
  EXPECT_EQ(config.stages[2].mask.values, (std::vector<double>{1, 2, 1}));
  Config bad = with_axes("sobel", {0, 1, 2});
  bad.stages[0].axis = 3;
  EXPECT_THROW(make_problem(bad, named_facts(), {}, 1), WordsError);
}

TEST(SplitAxes, MasksThatNeedAllThreeAxesAtOnceAreKept) {
  Config config = with_axes("box", {0, 1, 2});
  config.stages[0].parameters.size = {3, 1, 5};
  config.stages[0].steps = 2;
  const Mask steps = make_problem(config, named_facts(), {}, 1).chain.stages.at(0).choice.mask;
  EXPECT_EQ(steps.rank, 3);
  EXPECT_EQ(steps.taps.depth, 3);
  EXPECT_EQ(steps.taps.values, std::vector<double>(15, (1.0 / 3) * (1.0 / 5)));
  EXPECT_TRUE(steps.multiply_zeros);
  config.stages[0].steps = 1;
  config.missing.value = std::vector<ElementValue>{0.0};
  config.missing.policy = MissingPolicy::renormalize;
  EXPECT_EQ(make_problem(config, named_facts(), {}, 1).chain.stages.size(), 1u);
  Config laplace = with_axes("laplace", {2, 0, 1});
  const Problem problem = make_problem(laplace, named_facts(), {}, 1);
  ASSERT_EQ(problem.chain.stages.size(), 1u);
  EXPECT_EQ(problem.chain.stages[0].choice.mask.taps.values[13], -6);
  EXPECT_EQ(problem.chain.stages[0].halo.low, (Point{1, 1, 1}));
  Config sobel = with_axes("sobel", {0, 1, 2});
  sobel.stages[0].steps = 2;
  sobel.stages[0].axis = 3;
  EXPECT_THROW(make_problem(sobel, named_facts(), {}, 1), WordsError);
}

TEST(SplitAxes, VolumesAreComputedOneByOne) {
  Config config = with_axes("box", {0, 1, 2});
  config.stages[0].parameters.size = {3};
  const Problem problem = make_problem(config, named_facts(), {}, 1);
  EXPECT_EQ(problem.input_form.volumes(), 3);
  EXPECT_EQ(problem.input_form.shape(), (Point{4, 50, 60}));
  EXPECT_EQ(problem.bytes_written, 4 * 50 * 60 * 3 * 4);
  const Plan second = volume_of(Plan(problem), 1);
  EXPECT_EQ(second.input_form.slabs({{0, 0, 0}, {4, 50, 60}})[0].start,
            (std::vector<Index>{0, 0, 0, 1}));
  EXPECT_EQ(second.output.form.slabs({{0, 0, 0}, {4, 50, 60}})[0].start,
            (std::vector<Index>{0, 0, 0, 1}));
  config.run.checkpoint = "c.h5";
  EXPECT_THROW(make_problem(config, named_facts(), {}, 1), WordsError);
}

}  // namespace
}  // namespace stencil

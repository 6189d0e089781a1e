// The axis of a dataset along which 1D masks run if the configuration gives none.
#include "drivers/plan/make/mask_axis.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/describe/plan_text.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::config_of;
using testing::facts_of;
using Axes = std::vector<int>;

/// Facts of a dataset whose axis 0 is time, with a sampling rate.
DatasetFacts with_times() {
  DatasetFacts facts = facts_of({1000, 64});
  facts.sampling_rate = {500, 0};
  facts.sampling_source = facts.time_source = {"dimension scale /time", ""};
  return facts;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// The dataset axis of the only stage's mask.
int axis_in(const Problem& plan) {
  return plan.input_form.active_axis(plan.chain.stages[0].mask_axis);
}

TEST(MaskAxis, IsTheOnlyOneWithTimesElseTheLast) {
  EXPECT_EQ(mask_axis_of(with_times()).axis, 0);
  EXPECT_EQ(mask_axis_of(with_times()).why, "dimension scale /time");
  EXPECT_EQ(mask_axis_of(facts_of({5, 6, 7})).axis, 2);
  DatasetFacts several = with_times();
  several.time_source = {"dimension scale /time", "dimension scale /lead"};
  EXPECT_EQ(mask_axis_of(several).axis, 1);
  EXPECT_TRUE(holds(mask_axis_of(several).why, "several"));
  DatasetFacts rate_alone = with_times();  // a rate of an axis that the file does not name
  rate_alone.time_source = {"", ""};
  EXPECT_EQ(mask_axis_of(rate_alone).axis, 1);
}

TEST(MaskAxis, OfTheFileIsForMasksOfOneAxisWithoutTheirOwn) {
  EXPECT_EQ(axis_in(make_problem(config_of("1 2 1"), with_times(), {}, 1)), 0);
  Config config = config_of("1 2 1");
  config.input.axis = 1;
  EXPECT_EQ(axis_in(make_problem(config, with_times(), {}, 1)), 1);
  config.input.axis.reset();
  config.stages[0].axis = -1;
  EXPECT_EQ(axis_in(make_problem(config, with_times(), {}, 1)), 1);
  // a mask of rank 2 ignores the axis of time; its derivative is along the last axis
  const Problem sobel = make_problem(config_of("sobel"), with_times(), {}, 1);
  EXPECT_EQ(sobel.chain.stages[0].choice.mask.taps.values,
            make_problem(config_of("sobel"), facts_of({1000, 64}), {}, 1)
                .chain.stages[0]
                .choice.mask.taps.values);
  EXPECT_EQ(sobel.chain.stages[0].choice.mask.rank, 2);
  EXPECT_FALSE(sobel.mask_axis);
}

TEST(MaskAxis, IsInTheCanonicalTextAndInTheDescription) {
  const auto words = [](const Config& config, const DatasetFacts& facts) {
    return make_problem(config, facts, {}, 1).output.provenance.at("stencil_configuration");
  };
  EXPECT_TRUE(holds(words(config_of("1 2 1"), with_times()), "stencil.axis=0\n"));
  EXPECT_TRUE(holds(words(config_of("1 2 1"), facts_of({10, 20})), "stencil.axis=1\n"));
  EXPECT_FALSE(holds(words(config_of("1 2 1"), facts_of({20})), "axis="));
  EXPECT_FALSE(holds(words(config_of("0 1 0; 1 1 1; 0 1 0"), with_times()), "axis="));
  const std::string text =
      plan_text(describe(Plan(make_problem(config_of("1 2 1"), with_times(), {}, 1)), "", {}));
  EXPECT_TRUE(holds(text, "axis    0 for 1D masks (input.axis = auto): dimension scale /time\n"))
      << text;
}

TEST(MaskAxis, ARefusalForWantOfARateNamesTheAxisThatHasOne) {
  Config config = config_of("lowpass");
  config.stages[0].parameters.taps = 11;
  config.stages[0].parameters.cutoff = {10};
  DatasetFacts facts = with_times();
  facts.time_source = {"", ""};
  const auto refusal = [&] {
    try {
      make_problem(config, facts, {}, 1);
    } catch (const WordsError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_TRUE(holds(refusal(), "500 samples per second for axis 0: write input.axis = 0"))
      << refusal();
  config.stages[0].axis = 1;
  EXPECT_TRUE(holds(refusal(), "write axis = 0")) << refusal();
  facts.sampling_rate = {0, 0};
  EXPECT_TRUE(holds(refusal(), "the file does not give it")) << refusal();
}

}  // namespace
}  // namespace stencil

#include "drivers/plan/split/remaining.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/drivers/plan/two_stages.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

TEST(Remaining, IsTheProblemOfTheStepsThatAreLeft) {
  const Config config = test::parse(test::files + testing::two_stages);
  const Problem whole = make_problem(config, testing::facts_of_file(), {}, 2);
  Checkpoint from;
  from.record = {whole.checkpoint->words, 3, {.missing = 11}};
  from.points.file = "state.h5";
  from.points.dims = {1, 40, 50};
  const Problem rest = remaining(whole, from);
  EXPECT_EQ(rest.input.file, "state.h5");
  EXPECT_EQ(rest.output.input.file, "in.h5") << "its attributes are carried over";
  EXPECT_EQ(rest.output.provenance, whole.output.provenance);
  EXPECT_EQ(rest.chain.steps(), 2);
  EXPECT_EQ(rest.watching.every, whole.watching.every);
  EXPECT_GT(rest.watching.every, 0);
  EXPECT_EQ(rest.points_out, 40 * 50 + 20 * 25);
  from.record.steps_done = 4;
  const Problem last = remaining(whole, from);
  ASSERT_EQ(last.chain.stages.size(), 1U);
  EXPECT_EQ(last.chain.stages.front().name, "stencil.b");
  EXPECT_EQ(last.points_out, 20 * 25);
  const OutputSpec spec = checkpoint_of(last, "s.h5", from.record);
  EXPECT_EQ(spec.form.dims(), (std::vector<Index>{1, 40, 50}));
  EXPECT_EQ(spec.type, ElementType::float32);
}

TEST(Remaining, KeepsTheMethodOfTheWhole) {
  const auto method = [](const Problem& plan) { return plan.chain.stages.front().methods(); };
  const auto plan_of = [](const std::string& steps) {
    const Config config =
        test::parse(test::files + "[stencil]\nmask = gaussian\nsigma = 9\nsteps = " + steps +
                    "\n[run]\ncheckpoint = state.h5\n");
    return make_problem(config, testing::facts_of({3001}), {}, 1);
  };
  const Problem whole = plan_of("30");
  ASSERT_EQ(method(plan_of("1")), "direct");
  // for all steps together, transforms cost less although they need tables
  ASSERT_EQ(method(whole), "fft");
  Checkpoint from;
  from.record = {whole.checkpoint->words, 29, {}};
  from.points.file = "state.h5";
  from.points.dims = {1, 1, 3001};
  const Problem rest = remaining(whole, from);
  EXPECT_EQ(rest.chain.steps(), 1);
  EXPECT_EQ(method(rest), "fft");
}

}  // namespace
}  // namespace stencil

// A plan: a problem, the way in which the problem is computed, and the state from which the run
// starts.
#include "drivers/plan/plan.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "drivers/plan/split/passes.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Problem problem_of(Index steps) {
  Config config = testing::config_of("1 2 1; 2 4 2; 1 2 1");
  config.stages[0].steps = steps;
  return make_problem(config, testing::facts_of({400, 50}), {}, 1);
}

Passes two_passes(const Problem& problem) {
  Passes passes{pass_of(problem, 0, 12), pass_of(problem, 12, 20)};
  passes[0].windows.bytes = 700;
  passes[1].windows.bytes = 900;
  return passes;
}

TEST(Plan, HasOneWayAndItsMemory) {
  const Problem problem = problem_of(20);
  const Plan at_once(problem), in_windows(problem, Windows{.outputs = 40, .bytes = 800}),
      in_passes(problem, two_passes(problem));
  EXPECT_EQ(at_once.windows(), nullptr);
  EXPECT_EQ(at_once.passes(), nullptr);
  EXPECT_EQ(at_once.memory_per_rank(), problem.memory_at_once);
  ASSERT_NE(in_windows.windows(), nullptr);
  EXPECT_EQ(in_windows.windows()->outputs, 40);
  EXPECT_EQ(in_windows.memory_per_rank(), 800);
  EXPECT_EQ(in_passes.windows(), nullptr);
  ASSERT_NE(in_passes.passes(), nullptr);
  EXPECT_EQ(in_passes.passes()->size(), 2u);
  EXPECT_EQ(in_passes.memory_per_rank(), 900) << "of the pass that needs most";
}

TEST(Plan, PointsAreLookedAtOnlyAtOnce) {
  const Problem problem = problem_of(20);
  ASSERT_GT(problem.watching.every, 0);
  EXPECT_EQ(Plan(problem).watching.every, problem.watching.every);
  EXPECT_EQ(Plan(problem).notes, problem.notes);
  for (const RunWay& way : {RunWay{Windows{}}, RunWay{two_passes(problem)}}) {
    const Plan plan(problem, way);
    EXPECT_EQ(plan.watching.every, 0);
    ASSERT_EQ(plan.notes.size(), problem.notes.size() + 1);
    EXPECT_NE(plan.notes.back().find("run.nonfinite has no effect"), std::string::npos);
  }
  const Problem unwatched = problem_of(1);
  EXPECT_EQ(Plan(unwatched, Windows{}).notes, unwatched.notes) << "there is nothing to look at";
}

TEST(Plan, BeginsWhereItsStartSays) {
  const Problem problem = problem_of(20);
  const Plan fresh(problem);
  EXPECT_EQ(fresh.resumed(), nullptr);
  EXPECT_EQ(fresh.unfinished(), nullptr);
  EXPECT_EQ(fresh.steps_before(), 0);
  EXPECT_EQ(fresh.steps_in_all(), 20);

  auto output = std::make_shared<UnfinishedOutput>();
  output->done = {{0, 40}};
  const Plan unfinished(problem, Windows{}, Unfinished{output});
  EXPECT_EQ(unfinished.unfinished(), output.get());
  EXPECT_EQ(unfinished.resumed(), nullptr);

  const Problem rest = pass_of(problem, 15, 20);
  const Plan resumed(rest, AtOnce{}, Resumed{"state.h5", 15});
  ASSERT_NE(resumed.resumed(), nullptr);
  EXPECT_EQ(resumed.resumed()->file, "state.h5");
  EXPECT_EQ(resumed.unfinished(), nullptr) << "it writes no snapshots";
  EXPECT_EQ(resumed.steps_before(), 15);
  EXPECT_EQ(resumed.steps_in_all(), 20);
  EXPECT_EQ(Plan(rest, AtOnce{}, Resumed{"state.h5", 15, {}, output}).unfinished(), output.get());
}

}  // namespace
}  // namespace stencil

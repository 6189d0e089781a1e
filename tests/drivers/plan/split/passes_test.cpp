#include "drivers/plan/split/passes.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Problem plan_of(Index steps) {
  Config config = testing::config_of("1 2 1; 2 4 2; 1 2 1");
  config.stages[0].steps = steps;
  StageConfig thin = config.stages[0];
  thin.name = "stencil.thin";
  thin.steps = 1;
  thin.stride = {2};
  config.stages.push_back(thin);
  config.missing.value = std::vector{parse_element_value("5")};
  return make_problem(config, testing::facts_of({40'000, 5'000}, ElementType::int16), {}, 1);
}

WindowLimits limits_of(Index mebibytes) {
  return {.available = mebibytes << 20, .is_asked = true, .threads = 2};
}

TEST(Passes, TakeAllSweepsInTurnWithinTheMemory) {
  const Problem plan = plan_of(200);
  const Passes passes = choose_passes(plan, limits_of(300));
  ASSERT_GT(passes.size(), 2u);
  Index sweeps = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Pass& pass = passes[i];
    EXPECT_LE(pass.windows.bytes, Index{300} << 20);
    sweeps += pass.chain.steps();
    const bool is_first = i == 0, is_last = i + 1 == passes.size();
    EXPECT_EQ(pass.missing.has_value(), is_first) << "the first one alone replaces missing points";
    EXPECT_EQ(pass.input.type, is_first ? ElementType::int16 : ElementType::float32);
    EXPECT_EQ(pass.output.provenance.empty(), !is_last);
    EXPECT_EQ(pass.chain.input_shape(),
              is_first ? plan.chain.input_shape() : passes[i - 1].chain.output_shape());
    EXPECT_EQ(pass.first_stage, pass.chain.stages.front().name == "stencil" ? 0u : 1u);
  }
  EXPECT_EQ(sweeps, 201);
  EXPECT_EQ(passes.back().chain.output_shape(), plan.chain.output_shape());
  EXPECT_EQ(passes.back().output.dataset, plan.output.dataset);
}

/// Each sweep needs rows around a window. With less memory, these rows are a larger part of the
/// window.
TEST(Passes, TakeFewerSweepsWithLessMemory) {
  const Problem plan = plan_of(500);
  EXPECT_GT(choose_passes(plan, limits_of(60)).size(), choose_passes(plan, limits_of(1000)).size());
}

TEST(Passes, TheLeastMemoryWorks) {
  for (const Index steps : {100, 1500}) {
    const Problem plan = plan_of(steps);
    const Index least = least_memory(plan);
    EXPECT_LT(least, plan.memory_at_once / 10);
    EXPECT_FALSE(choose_passes(plan, {.available = least, .is_asked = true, .threads = 2}).empty());
    EXPECT_TRUE(
        choose_passes(plan, {.available = least - 1, .is_asked = true, .threads = 2}).empty());
  }
}

}  // namespace
}  // namespace stencil

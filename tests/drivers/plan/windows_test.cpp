#include "drivers/plan/windows.hpp"

#include <gtest/gtest.h>

#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Plan plan_of(const std::vector<Index>& dims, BoundaryRule rule = BoundaryRule::reflect,
             Index steps = 1, Backend backend = Backend::cpu) {
  Config config = testing::config_of("1 2 1; 2 4 2; 1 2 1");
  config.stages[0].boundary = {rule};
  config.stages[0].steps = steps;
  return make_plan(config, testing::facts_of(dims), {}, 1, backend);
}

TEST(Windows, OnlyWhereTheWorldDoesNotFit) {
  const Plan plan = plan_of({40'000, 5'000});
  EXPECT_FALSE(choose_windows(plan, plan.memory_per_rank, true));
  const auto windows = choose_windows(plan, plan.memory_per_rank - 1, true);
  ASSERT_TRUE(windows);
  EXPECT_EQ(windows->axis, y_axis);
  EXPECT_LT(windows->outputs, 40'000);
  EXPECT_LE(windows->bytes, plan.memory_per_rank - 1);
}

/// As thick as fits, and a quarter of it where nobody asked for a limit.
TEST(Windows, AreAsThickAsMemoryAllows) {
  const Plan plan = plan_of({40'000, 5'000});
  const Index available = Index{400} << 20;
  const auto asked = choose_windows(plan, available, true),
             unasked = choose_windows(plan, available, false);
  ASSERT_TRUE(asked && unasked);
  EXPECT_EQ(asked->bytes, window_bytes(plan, y_axis, asked->outputs));
  EXPECT_LE(asked->bytes, available);
  EXPECT_GT(window_bytes(plan, y_axis, asked->outputs + 1), available);
  EXPECT_LE(unasked->bytes, available / 4);
  // three fields' rows of 5000 points in float32, at least
  EXPECT_GE(window_bytes(plan, y_axis, 1000) - window_bytes(plan, y_axis, 900), 100 * 2 * 20'000);
}

TEST(Windows, TheLeastMemoryWorks) {
  const Plan plan = plan_of({40'000, 5'000});
  const Index least = least_memory(plan);
  EXPECT_LT(least, plan.memory_per_rank / 10);
  EXPECT_TRUE(choose_windows(plan, least, true));
  EXPECT_FALSE(choose_windows(plan, least - 1, true));
}

TEST(Windows, NotForGpusNorForVeryManySweeps) {
  const Index little = Index{200} << 20;
  EXPECT_TRUE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::wrap, 4), little, true));
  EXPECT_FALSE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::wrap, 5), little, true));
  EXPECT_TRUE(choose_windows(plan_of({40'000, 5'000}, BoundaryRule::nearest, 64), little, true));
  const Plan long_run = plan_of({40'000, 5'000}, BoundaryRule::nearest, 65);
  EXPECT_FALSE(choose_windows(long_run, little, true));
  EXPECT_EQ(least_memory(long_run), long_run.memory_per_rank);
  Plan on_gpu = plan_of({40'000, 5'000}, BoundaryRule::nearest, 1, Backend::cuda);
  EXPECT_FALSE(choose_windows(on_gpu, on_gpu.memory_per_rank - 1, true));
}

}  // namespace
}  // namespace stencil

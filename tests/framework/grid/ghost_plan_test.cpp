#include "framework/grid/ghost_plan.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using Runs = std::vector<GhostRun>;

/// Returns the ghost plan of one of several blocks along y.
GhostPlan rows(Index world, Index blocks, Index halo, BoundaryRule rule, Index block) {
  const Decomposition decomposition({1, world, 8}, {1, blocks, 1});
  return ghost_plan(decomposition, {{0, halo, 0}, {0, halo, 0}}, rule, y_axis, block);
}

void expect_source(const GhostSource& source, Index block, const Runs& runs) {
  EXPECT_EQ(source.block, block);
  EXPECT_EQ(source.runs, runs);
}

/// An array of 6 rows in two blocks of 3 rows, with a halo of 2 rows: the ghosts -2 and -1 of the
/// first block are beyond the edge of the array.
TEST(GhostPlan, EveryRuleAtTheEdgeOfTheWorld) {
  for (const auto& [rule, source, step] :
       {std::tuple{BoundaryRule::reflect, 1, -1}, std::tuple{BoundaryRule::mirror, 2, -1},
        std::tuple{BoundaryRule::nearest, 0, 0}}) {
    const GhostPlan plan = rows(6, 2, 2, rule, 0);
    ASSERT_EQ(plan.sources.size(), 2u);
    expect_source(plan.sources[0], 0, {{-2, source, 2, step}});
    expect_source(plan.sources[1], 1, {{3, 3, 2, 1}});
    EXPECT_TRUE(plan.constant.empty());
  }
  const GhostPlan around = rows(6, 2, 2, BoundaryRule::wrap, 0);
  ASSERT_EQ(around.sources.size(), 1u) << "both sides are the other block's";
  expect_source(around.sources[0], 1, {{-2, 4, 2, 1}, {3, 3, 2, 1}});
  const GhostPlan constant = rows(6, 2, 2, BoundaryRule::constant, 0);
  ASSERT_EQ(constant.sources.size(), 1u);
  expect_source(constant.sources[0], 1, {{3, 3, 2, 1}});
  EXPECT_EQ(constant.constant, (std::vector<Interval>{{-2, 0}}));
}

TEST(GhostPlan, AHaloWiderThanTheNeighbourGoesOnBeyondIt) {
  const GhostPlan plan = rows(6, 3, 3, BoundaryRule::nearest, 1);
  ASSERT_EQ(plan.sources.size(), 2u);
  expect_source(plan.sources[0], 0, {{-1, 0, 2, 0}, {1, 1, 1, 1}});
  expect_source(plan.sources[1], 2, {{4, 4, 2, 1}, {6, 5, 1, 1}});
}

TEST(GhostPlan, ABlockWithoutPointsNeedsNothing) {
  const GhostPlan plan = rows(1, 2, 2, BoundaryRule::reflect, 1);
  EXPECT_TRUE(plan.sources.empty());
  EXPECT_TRUE(plan.constant.empty());
}

}  // namespace
}  // namespace stencil

#include "kernels/level_spans.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(LevelSpans, GrowBesideOthersAndEndAtTheWorld) {
  const StepAxis axis{{0, 20}, BoundaryRule::reflect, 1, 2};
  const auto inside = level_spans(axis, {8, 12}, 3);
  EXPECT_EQ(inside, (std::vector<Interval>{{5, 18}, {6, 16}, {7, 14}, {8, 12}}));
  const auto whole = level_spans(axis, {0, 20}, 2);
  EXPECT_EQ(whole, (std::vector<Interval>{{0, 20}, {0, 20}, {0, 20}}));
  EXPECT_EQ(reads_of_start(axis, whole), (Interval{-1, 22}));
  const StepAxis around{{0, 20}, BoundaryRule::wrap, 1, 2};
  EXPECT_EQ(level_spans(around, {0, 20}, 2)[0], (Interval{-2, 24}));
}

TEST(LevelSpans, ReachAsFarInsideAsTheRuleLeads) {
  const StepAxis axis{{0, 20}, BoundaryRule::mirror, 5, 0};
  // point 0 reads the points -5 ... 0, whose values are those of the points 5 ... 0
  EXPECT_EQ(level_spans(axis, {0, 1}, 1)[0], (Interval{0, 6}));
  const StepAxis constant{{0, 20}, BoundaryRule::constant, 5, 0};
  EXPECT_EQ(level_spans(constant, {0, 1}, 4)[0], (Interval{0, 1}));
}

}  // namespace
}  // namespace stencil

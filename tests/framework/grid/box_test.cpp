#include "framework/grid/box.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr Index huge = std::numeric_limits<Index>::max();

TEST(Box, WorkedExampleOfTheClassComment) {
  const Box owned{{0, 0, 0}, {1, 3, 8}};
  const Box ghosted = grown(owned, {{0, 1, 2}, {0, 1, 2}});
  EXPECT_EQ(ghosted, (Box{{0, -1, -2}, {1, 4, 10}}));
  EXPECT_EQ(owned.points(), 24);
  EXPECT_EQ(ghosted.points(), 60);
}

TEST(Box, HaloMayDifferOnTheTwoSides) {
  EXPECT_EQ(grown({{5, 5, 5}, {6, 7, 8}}, {{1, 2, 3}, {4, 5, 6}}), (Box{{4, 3, 2}, {10, 12, 14}}));
}

TEST(Box, EmptyBoxNeedsNoGhosts) {
  EXPECT_TRUE(grown({{3, 0, 0}, {3, 4, 4}}, {{1, 1, 1}, {1, 1, 1}}).empty());
}

TEST(Box, IntersectionIsCommutativeAndInside) {
  const Box a{{0, 0, 0}, {4, 5, 6}}, b{{2, -1, 3}, {9, 2, 5}};
  EXPECT_EQ(intersect(a, b), (Box{{2, 0, 3}, {4, 2, 5}}));
  EXPECT_EQ(intersect(a, b), intersect(b, a));
  EXPECT_TRUE(a.contains(intersect(a, b)));
  EXPECT_FALSE(a.contains(b));
  EXPECT_TRUE(intersect(a, Box{{4, 0, 0}, {5, 5, 6}}).empty());
}

TEST(Box, CountsAreCheckedForOverflow) {
  EXPECT_EQ((Box{{0, 0, 0}, {1, 1, huge}}).points(), huge);
  EXPECT_THROW((void)(Box{{0, 0, 0}, {2, 1, huge}}).points(), ShapeError);
  EXPECT_THROW(grown({{0, 0, 0}, {1, 1, huge}}, {{}, {0, 0, 1}}), ShapeError);
}

}  // namespace
}  // namespace stencil

#include "kernels/generated/step_spec.hpp"

#include <gtest/gtest.h>

namespace stencil::generated {
namespace {

/// A full mask, or a star, whose taps are nonzero only along the two axes.
StepMask mask_of(int side, bool is_star, int element) {
  std::vector<double> taps;
  for (int k = 0; k < side * side; ++k)
    taps.push_back(!is_star || k / side == side / 2 || k % side == side / 2 ? 1 : 0);
  return *direct_step_mask(element, side, side, taps, false);
}

Stencil<float> stencil_of(Index height, Index width) {
  Stencil<float> stencil;
  stencil.height = height, stencil.width = width;
  stencil.taps.assign(std::size_t(height * width), 1.5F);
  return stencil;
}

TEST(StepMask, IsOfDirectAndSeparableSumsAroundTheirCentre) {
  const Stencil<float> good = stencil_of(5, 3);
  ASSERT_TRUE(step_mask(good, {2, 1}));
  EXPECT_EQ(step_mask(good, {2, 1})->adds(), 15);
  EXPECT_FALSE(step_mask(good, {1, 1})) << "another centre";
  EXPECT_FALSE(step_mask(stencil_of(11, 1), {5, 0})) << "too tall";
  EXPECT_FALSE(step_mask(stencil_of(4, 4), {2, 2})) << "no middle";
  Stencil<float> other = good;
  other.stride = {2, 1};
  EXPECT_FALSE(step_mask(other, {2, 1}));
  other = good;
  other.min_valid = 0.5;
  EXPECT_FALSE(step_mask(other, {2, 1}));
  other = good;
  other.method = Method::separable;
  other.column = {1, 2, 3, 2, 1};
  other.row = {1, 0, 1};
  ASSERT_TRUE(step_mask(other, {2, 1}));
  EXPECT_EQ(step_mask(other, {2, 1})->adds(), 8);
  EXPECT_EQ(step_taps(other), (std::vector<float>{1, 0, 1, 1, 2, 3, 2, 1}));
  other.multiply_zeros = false;
  EXPECT_FALSE(step_mask(other, {2, 1})) << "a tap that is skipped";
  other.multiply_zeros = true;
  other.terms = 2;
  EXPECT_FALSE(step_mask(other, {2, 1}));
}

TEST(StepMask, LeavesOutTapsThatAreSkipped) {
  Stencil<float> stencil = stencil_of(3, 3);
  stencil.taps = {0, 2, 0, 3, 4, 5, 0, 6, 0};
  EXPECT_EQ(step_mask(stencil, {1, 1})->adds(), 9);
  EXPECT_EQ(step_taps(stencil).size(), 9U);
  stencil.multiply_zeros = false;
  EXPECT_EQ(step_mask(stencil, {1, 1})->adds(), 5);
  EXPECT_EQ(step_taps(stencil), (std::vector<float>{2, 3, 4, 5, 6}));
  stencil.taps.assign(9, 0);
  EXPECT_FALSE(step_mask(stencil, {1, 1})) << "nothing is multiplied";
}

/// Small masks stay limited by memory bandwidth for more steps, so their sweeps are deeper.
TEST(StepWalk, SmallMasksTakeDeeperSweeps) {
  for (const int element : {4, 8}) {
    int last = most_depth + 1;
    for (const int side : {3, 5, 7}) {
      const int depth = deepest_sweep(mask_of(side, true, element));
      EXPECT_LT(depth, last) << side;
      EXPECT_GT(depth, 3) << side;
      last = depth;
    }
    EXPECT_GE(deepest_sweep(mask_of(3, true, element)), 12);
    EXPECT_GE(deepest_sweep(mask_of(5, false, element)), 3);
    EXPECT_EQ(deepest_sweep(mask_of(9, false, element)), 1) << "81 multiply-adds";
  }
}

/// For every mask and depth there is a walk whose block fits into the shared memory of any GPU, and
/// whose strips contain outputs.
TEST(StepWalk, ExistsForEveryMaskAndDepth) {
  for (const int element : {4, 8})
    for (int height = 1; height <= 9; height += 2)
      for (int width = 1; width <= 9; width += 2) {
        const std::vector<double> taps(std::size_t(height * width), 1);
        const StepMask mask = *direct_step_mask(element, height, width, taps, true);
        const int deepest = deepest_sweep(mask);
        EXPECT_GE(deepest, 1);
        for (int depth = 1; depth <= deepest; ++depth) {
          const StepWalk walk = make_step_walk(mask, depth);
          EXPECT_GT(output_columns(mask, walk), 0) << height << " " << width << " " << depth;
          EXPECT_LE(walk.bytes(), std::size_t{99} << 10);
          EXPECT_LE(walk.warps() * 32, 1024);
          EXPECT_GE(walk.levels * walk.warps(), depth);
          EXPECT_GE(walk.chunks * 16 / element, width / 2) << "a neighbour lane has the columns";
        }
      }
}

}  // namespace
}  // namespace stencil::generated

#include "kernels/step_depth.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(StepDepth, DeepForSmallMasksOnLargeBlocksOnly) {
  StepShape five{.mask = {3, 3},
                 .adds = 5,
                 .element = 4,
                 .block = {8192, 8192},
                 .repeats = {},
                 .steps = 100,
                 .shares_rows = true};
  const Index depth = steps_per_sweep(five);
  EXPECT_GE(depth, 12);
  EXPECT_LE(depth, 34);
  EXPECT_LT((100 + depth - 1) / depth, (100 + depth - 2) / (depth - 1))
      << "one step less would not need more sweeps: they are not evenly deep";
  five.steps = 1;
  EXPECT_EQ(steps_per_sweep(five), 1);
  five.steps = 3;
  EXPECT_EQ(steps_per_sweep(five), 3);
  StepShape wide = five;
  wide.mask = {31, 31};
  wide.adds = 961;
  wide.steps = 100;
  EXPECT_EQ(steps_per_sweep(wide), 1);
}

/// Masks of several rows whose single steps keep many sums in registers gain nothing from several
/// steps per sweep; other masks with the same number of taps do.
TEST(StepDepth, OneStepWhereItsWalkIsFaster) {
  const auto depth_of = [](Index height, Index width, bool is_separable, bool skips_taps) {
    return steps_per_sweep({.mask = {height, width},
                            .adds = is_separable ? height + width : height * width,
                            .element = 4,
                            .block = {3000, 3000},
                            .steps = 100,
                            .is_separable = is_separable,
                            .skips_taps = skips_taps});
  };
  EXPECT_EQ(depth_of(7, 7, false, false), 1);
  EXPECT_EQ(depth_of(31, 31, true, false), 1);
  EXPECT_GT(depth_of(7, 7, true, false), 3);
  EXPECT_GT(depth_of(1, 25, false, false), 3);
  EXPECT_GT(depth_of(25, 1, false, false), 3);
  EXPECT_GT(depth_of(5, 5, false, true), 1);
}

/// If the points stay in the second-level cache from step to step, deeper sweeps gain less.
TEST(StepDepth, SmallBlocksGainLess) {
  StepShape line{.mask = {1, 49}, .adds = 49, .element = 4, .block = {1, 4'000'000}, .steps = 100};
  EXPECT_GT(steps_per_sweep(line), 1);
  line.block = {1, 100'000};
  EXPECT_EQ(steps_per_sweep(line), 1);
  line.planes = 40;
  EXPECT_GT(steps_per_sweep(line), 1);
}

TEST(StepDepth, ThinBlocksKeepTheirGhostsFew) {
  StepShape thin{.mask = {3, 3},
                 .adds = 5,
                 .element = 4,
                 .block = {12, 8192},
                 .repeats = {true, false},
                 .steps = 100};
  EXPECT_LE(steps_per_sweep(thin), 6);
  thin.block[0] = 1;
  EXPECT_EQ(steps_per_sweep(thin), 1);
  thin.repeats[0] = false;  // the whole array, which has no ghosts beside it
  EXPECT_GT(steps_per_sweep(thin), 6);
}

}  // namespace
}  // namespace stencil

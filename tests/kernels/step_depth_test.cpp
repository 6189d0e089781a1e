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
  thin.repeats[0] = false;  // the whole world: no ghosts beside it
  EXPECT_GT(steps_per_sweep(thin), 6);
}

}  // namespace
}  // namespace stencil

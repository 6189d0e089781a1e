#include "kernels/volume_step_depth.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

constexpr VolumeStepShape seven{
    .mask = {3, 3, 3}, .adds = 7, .element = 4, .block = {512, 512, 512}, .steps = 100};

TEST(VolumeStepDepth, SmallMasksOfLargeBlocksTakeSeveralSteps) {
  VolumeStepShape shape = seven;
  EXPECT_EQ(volume_steps_per_sweep(shape), 4);
  shape.element = 8;
  EXPECT_GT(volume_steps_per_sweep(shape), 1);
  shape = seven;
  shape.steps = 3;
  EXPECT_EQ(volume_steps_per_sweep(shape), 3);
  shape.steps = 9;
  EXPECT_EQ(volume_steps_per_sweep(shape), 3) << "three sweeps of the same number of steps";
  shape.steps = 1;
  EXPECT_EQ(volume_steps_per_sweep(shape), 1);
}

TEST(VolumeStepDepth, ManyTapsTakeOneStep) {
  VolumeStepShape shape = seven;
  shape.adds = 27;
  EXPECT_EQ(volume_steps_per_sweep(shape), 1);
  shape.mask = {9, 9, 9};
  shape.adds = 25;
  EXPECT_EQ(volume_steps_per_sweep(shape), 1);
  shape.mask = {5, 5, 5};
  shape.adds = 13;
  EXPECT_GE(volume_steps_per_sweep(shape), 2);
}

TEST(VolumeStepDepth, GhostPointsAreNotMoreThanTheBlock) {
  VolumeStepShape shape = seven;
  shape.block = {5, 512, 512};
  shape.repeats = {true, false, false};
  EXPECT_LE(volume_steps_per_sweep(shape), 2);
  shape.block = {2, 512, 512};
  EXPECT_EQ(volume_steps_per_sweep(shape), 1);
  shape.block = {0, 512, 512};
  EXPECT_EQ(volume_steps_per_sweep(shape), 1) << "a rank without points";
}

TEST(VolumeStepDepth, TilesFitIntoTheCache) {
  for (const Index element : {4, 8})
    for (const Index depth : {2, 3, 4}) {
      const VolumeStepShape shape{.mask = {3, 3, 3}, .element = element};
      const auto [rows, columns] = volume_step_tile(shape, depth);
      EXPECT_LE((3 + 4 * (depth - 1)) * rows * columns * element, 900 << 10);
      EXPECT_GE(rows, 8);
    }
}

}  // namespace
}  // namespace stencil

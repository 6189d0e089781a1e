// The cache of plans, and the properties by which plans are distinguished.
#include "drivers/pipeline/array_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "framework/grid/error.hpp"
#include "kernels/families/families_savgol.hpp"

namespace stencil {
namespace {

const Point shape{1, 20, 30};

TEST(ArrayPlan, EveryMemberOfAStageCountsButItsName) {
  const Stage plain{.mask = Mask::line({1, 2, 1})};
  const std::vector<std::function<void(Stage&)>> changes{
      [](Stage& stage) {
        stage.mask = Mask::line({1, 2, 2});
      },
      [](Stage& stage) {
        stage.mask = Mask::line({1, 2, 1, 0});
      },
      [](Stage& stage) {
        stage.mask = Mask::line({1, 2, 1}, x_axis, 1);
      },
      [](Stage& stage) {
        stage.mask = Mask::line({1, 2, 1}, y_axis);
      },
      [](Stage& stage) {
        stage.mask = Mask::line({1, 2, 1}, batch_axis);
      },
      [](Stage& stage) {
        stage.mask = Mask::grid({1, 2, 1}, 1, 3);
      },
      [](Stage& stage) {
        stage.mask = Mask::outer({1}, {1, 2, 1});
      },
      [](Stage& stage) { stage.mask.multiply_zeros = false; },
      [](Stage& stage) {
        stage.channels = make_channel_mask({1, 1, 1, 3}, {1, 2, 1});
      },
      [](Stage& stage) {
        stage.channels = make_channel_mask({1, 1, 1, 3}, {1, 2, 1}, 1, {0, 1});
      },
      [](Stage& stage) {
        stage.channels = make_channel_mask({3, 1, 1, 1}, {1, 2, 1});
      },
      [](Stage& stage) {
        stage.channels = make_channel_mask({3, 1, 1, 1}, {1, 2, 1}, 3);
      },
      [](Stage& stage) { stage.bank = {stage.mask}; },
      [](Stage& stage) {
        stage.bank = {stage.mask, stage.mask};
      },
      [](Stage& stage) { stage.filters_before = 2; },
      [](Stage& stage) { stage.boundary = BoundaryRule::wrap; },
      [](Stage& stage) { stage.boundary.rule[batch_axis] = BoundaryRule::wrap; },
      [](Stage& stage) { stage.boundary.value = 1; },
      [](Stage& stage) { stage.extent = Extent::full; },
      [](Stage& stage) {
        stage.stride = {1, 2};
      },
      [](Stage& stage) {
        stage.stride = {2, 1};
      },
      [](Stage& stage) { stage.steps = 2; },
      [](Stage& stage) { stage.steps_elsewhere = 2; },
      [](Stage& stage) { stage.method = MethodRequest::direct; },
      [](Stage& stage) { stage.min_valid = 0; },
      [](Stage& stage) { stage.min_valid = 0.5; },
      [](Stage& stage) { stage.crop[x_axis].shift = 1; },
      [](Stage& stage) { stage.crop[x_axis].count = 1; },
      [](Stage& stage) { stage.edge_fit = savgol_fit(3, 1, 0, 1); },
      [](Stage& stage) { stage.edge_fit = savgol_fit(3, 2, 0, 1); },
  };
  std::set<std::string> keys{plan_key({plain}, shape, Precision::float32)};
  for (std::size_t k = 0; k < changes.size(); ++k) {
    Stage changed = plain;
    changes[k](changed);
    EXPECT_TRUE(keys.insert(plan_key({changed}, shape, Precision::float32)).second) << k;
  }
  EXPECT_TRUE(keys.insert(plan_key({plain}, shape, Precision::float64)).second);
  EXPECT_TRUE(keys.insert(plan_key({plain}, {20, 1, 30}, Precision::float32)).second);
  EXPECT_TRUE(keys.insert(plan_key({plain, plain}, shape, Precision::float32)).second);
  Stage named = plain;
  named.name = "another";
  EXPECT_FALSE(keys.insert(plan_key({named}, shape, Precision::float32)).second);
}

TEST(ArrayPlan, PlansAreKeptUntilOthersHaveBeenUsed) {
  const auto stage_of = [](double tap) { return Stage{.mask = Mask::line({1, tap, 1})}; };
  const auto first = array_plan({stage_of(0)}, shape, Precision::float32);
  EXPECT_EQ(array_plan({stage_of(0)}, shape, Precision::float32), first);
  EXPECT_NE(array_plan({stage_of(1)}, shape, Precision::float32), first);
  EXPECT_NE(array_plan({stage_of(0)}, {1, 20, 31}, Precision::float32), first);
  for (int tap = 2; tap < 40; ++tap) {
    array_plan({stage_of(tap)}, shape, Precision::float32);
    ASSERT_EQ(array_plan({stage_of(0)}, shape, Precision::float32), first)
        << "used again and again";
  }
  for (int tap = 40; tap < 80; ++tap) array_plan({stage_of(tap)}, shape, Precision::float32);
  EXPECT_NE(array_plan({stage_of(0)}, shape, Precision::float32), first);
}

TEST(ArrayPlan, PlansOfLargeMasksAreNotKept) {
  const Stage stage{.mask = Mask::line(std::vector<double>(10000, 1))};
  const auto first = array_plan({stage}, shape, Precision::float32);
  EXPECT_NE(array_plan({stage}, shape, Precision::float32), first);
}

TEST(ArrayPlan, StagesThatDoNotFitAreRefusedEveryTime) {
  const Stage stage{.mask = Mask::line(std::vector<double>(31, 1)), .extent = Extent::valid};
  for (int turn = 0; turn < 2; ++turn)
    EXPECT_THROW(array_plan({stage}, shape, Precision::float32), ShapeError);
}

}  // namespace
}  // namespace stencil

#include "kernels/channels/channel_mask.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(ChannelMask, FlippedTurnsBothSpatialAxesAndLeavesChannels) {
  const ChannelMask mask = make_channel_mask({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
  EXPECT_EQ(flipped(mask).values, (std::vector<double>{4, 3, 2, 1, 8, 7, 6, 5}));
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{1, 1}));
  EXPECT_EQ(flipped(mask).centre, (std::array<Index, 2>{0, 0}));
}

TEST(ChannelMask, HasItsCentreByTheOrigin) {
  const ChannelMask mask = make_channel_mask({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}, 1, {1, -1});
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{2, 0}));
  EXPECT_EQ(first_plane(mask).centre, mask.centre);
  EXPECT_EQ(first_plane(mask).taps.values, mask.values);
  EXPECT_THROW(make_channel_mask({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}, 1, {2, 0}), ShapeError);
}

/// A mask whose members were changed individually, so that they contradict each other.
TEST(ChannelMask, ThatDoesNotFitItselfIsRefused) {
  static_assert(!std::is_aggregate_v<ChannelMask>);
  EXPECT_THROW(first_plane(ChannelMask()), ShapeError);
  ChannelMask mask = make_channel_mask({2, 1, 1, 3}, {1, 2, 3, 4, 5, 6});
  mask.height = 2;
  EXPECT_THROW(first_plane(mask), ShapeError);
  mask.height = 1;
  mask.centre = {0, 3};
  EXPECT_THROW(first_plane(mask), ShapeError);
}

TEST(ChannelMask, RefusesWhatIsNone) {
  EXPECT_THROW(make_channel_mask({2, 1, 2}, {1, 2, 3, 4}, 1), ShapeError);
  EXPECT_THROW(make_channel_mask({2, 1, 1, 1}, {1, 2, 3}, 1), ShapeError);
  EXPECT_THROW(make_channel_mask({0, 1, 1, 1}, {}, 1), ShapeError);
  EXPECT_THROW(make_channel_mask({3, 1, 1, 1}, {1, 2, 3}, 2), ShapeError);
  EXPECT_THROW(make_channel_mask({2, 1, 1, 1}, {1, std::nan("")}, 1), ShapeError);
}

}  // namespace
}  // namespace stencil

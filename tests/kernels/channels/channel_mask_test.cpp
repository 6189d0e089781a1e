#include "kernels/channels/channel_mask.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(ChannelMask, FlippedTurnsBothSpatialAxesAndLeavesChannels) {
  const ChannelMask mask = make_channel_mask({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
  EXPECT_EQ(flipped(mask).values, (std::vector<double>{4, 3, 2, 1, 8, 7, 6, 5}));
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

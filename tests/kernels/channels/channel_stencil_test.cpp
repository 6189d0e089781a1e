#include "kernels/channels/channel_stencil.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(ChannelStencil, RefusesTapsThatTheTypeCannotHoldAndNoStride) {
  EXPECT_THROW(make_channel_stencil<float>(make_channel_mask({1, 1, 1, 1}, {1e300}, 1), {1, 1}),
               ShapeError);
  EXPECT_THROW(make_channel_stencil<float>(make_channel_mask({1, 1, 1, 1}, {1}, 1), {0, 1}),
               ShapeError);
}

}  // namespace
}  // namespace stencil

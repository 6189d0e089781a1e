// The choice between direct sums and transforms for masks of channels.

#include "kernels/channels/channel_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

struct Case {
  Index out, in, height, width, ny, nx;  ///< channels, sides of the mask and of the output
};

ChannelMask mask_of(const Case& c) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(c.out * c.in * c.height * c.width));
  for (double& value : values) value = normal(random);
  return make_channel_mask({c.out, c.in, c.height, c.width}, values);
}

MethodSite site_of(const Case& c, Backend backend = Backend::cpu) {
  MethodSite site{.backend = backend};
  site.world.outputs = {c.ny, c.nx};
  site.world.batch = c.in;
  site.axis_outputs = c.nx;
  site.lines = c.in * c.ny;
  return site;
}

MethodChoice choice_of(const Case& c, MethodRequest request, Backend backend = Backend::cpu) {
  return choose_for_channels(mask_of(c), request, site_of(c, backend));
}

TEST(ChannelMethod, many_taps_are_transformed_and_few_are_not) {
  EXPECT_EQ(choice_of({2, 2, 1, 15, 1, 1 << 22}, MethodRequest::automatic).method, Method::direct);
  const auto lines = choice_of({2, 2, 1, 1025, 1, 1 << 22}, MethodRequest::automatic);
  EXPECT_EQ(lines.method, Method::fft);
  EXPECT_EQ(lines.costs.size(), 2u);
  EXPECT_GT(lines.blocks.points, 0);
  const auto grids = choice_of({2, 2, 31, 31, 2000, 2000}, MethodRequest::automatic);
  EXPECT_EQ(grids.method, Method::fft);
  EXPECT_FALSE(grids.tiles.empty());
  EXPECT_EQ(choice_of({2, 2, 31, 31, 2000, 2000}, MethodRequest::direct).method, Method::direct);
}

TEST(ChannelMethod, what_transforms_cannot_sum_is_direct_or_refused) {
  const Case many{5, 4, 31, 31, 2000, 2000};  // 20 pairs of channels
  EXPECT_EQ(choice_of(many, MethodRequest::automatic).method, Method::direct);
  EXPECT_THROW(choice_of(many, MethodRequest::fft), ShapeError);
  const Case few{2, 2, 31, 31, 2000, 2000};
  EXPECT_EQ(choice_of(few, MethodRequest::automatic, Backend::cuda).method, Method::direct);
  EXPECT_THROW(choice_of(few, MethodRequest::fft, Backend::cuda), ShapeError);
  EXPECT_THROW(choice_of(few, MethodRequest::separable), ShapeError);
  ChannelMask groups = mask_of(few);
  groups.in = 1;
  groups.groups = 2;
  groups.values.resize(groups.values.size() / 2);
  EXPECT_EQ(choose_for_channels(groups, MethodRequest::automatic, site_of(few)).method,
            Method::direct);
  EXPECT_THROW(choose_for_channels(groups, MethodRequest::fft, site_of(few)), ShapeError);
}

/// The real part of a Hilbert transformer is a single tap, and direct sums multiply its zeros.
TEST(ChannelMethod, zeros_of_the_first_plane_do_not_matter) {
  const Case c{2, 2, 1, 1025, 1, 1 << 22};
  ChannelMask mask = mask_of(c);
  std::fill_n(mask.values.begin(), 1025, 0.0);
  mask.values[512] = 1;
  EXPECT_EQ(choose_for_channels(mask, MethodRequest::automatic, site_of(c)).method, Method::fft);
}

/// Direct sums of integers are exact.
TEST(ChannelMethod, masks_of_integers_are_transformed_only_if_there_are_many_points) {
  const Case few{2, 2, 31, 31, 60, 60}, many{2, 2, 31, 31, 2000, 2000};
  ChannelMask mask = mask_of(few);
  const auto method_on = [&](const Case& c) {
    return choose_for_channels(mask, MethodRequest::automatic, site_of(c)).method;
  };
  EXPECT_EQ(method_on(few), Method::fft);
  for (double& value : mask.values) value = std::round(3 * value);
  EXPECT_EQ(method_on(few), Method::direct);
  EXPECT_EQ(method_on(many), Method::fft);
}

}  // namespace
}  // namespace stencil

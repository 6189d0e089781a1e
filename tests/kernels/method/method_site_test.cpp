#include "kernels/method/method_site.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

Mask ones(Index height, Index width) {
  const std::vector<double> taps(static_cast<std::size_t>(height * width), 1.0);
  if (height == 1 || width == 1) return Mask::line(taps, width == 1 ? y_axis : x_axis);
  return Mask::grid(taps, height, width);
}

TEST(MethodSite, GridsAreTheOutputsThatAStrideLeaves) {
  MethodSite site{.axis_outputs = 320, .stride = {2, 2}, .lines = 99};
  site.world = {{99, 639}, 3, 4};
  const OutputsGrid grid = grid_of(ones(3, 3).taps, site);
  EXPECT_EQ(grid.batch, 3);
  EXPECT_EQ(grid.rows, 50);
  EXPECT_EQ(grid.columns, 320);
  EXPECT_EQ(grid.outputs(), 3 * 50 * 320);
  const OutputsGrid lines = grid_of(ones(1, 3).taps, site);
  EXPECT_EQ(lines.rows, 99);
  EXPECT_EQ(lines.columns, 320);
  // 99 columns of lines: an array that is 33 columns wide and has three batches
  site.world.outputs = {640, 33};
  const OutputsGrid columns = grid_of(ones(3, 1).taps, site);
  EXPECT_EQ(columns.batch, 3);
  EXPECT_EQ(columns.rows, 320);
  EXPECT_EQ(columns.columns, 33);
}

TEST(MethodSite, ZerosCountAsTapsWhereTheyAreMultiplied) {
  Mask mask = ones(3, 3);
  mask.taps.values[4] = 0;
  mask.multiply_zeros = false;
  EXPECT_EQ(direct_taps(mask), 8);
  mask.multiply_zeros = true;
  EXPECT_EQ(direct_taps(mask), 9);
}

TEST(MethodSite, GpusHaveNoStridedSumsNorTransformsOverValidPoints) {
  EXPECT_TRUE(MethodSite{}.has_strided_sums() && MethodSite{}.fft_renormalizes());
  const MethodSite gpu{.backend = Backend::cuda};
  EXPECT_FALSE(gpu.has_strided_sums() || gpu.fft_renormalizes());
}

}  // namespace
}  // namespace stencil

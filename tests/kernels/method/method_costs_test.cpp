// The table of costs by which `method = auto` chooses, and the counts of work for it.
#include "kernels/method/method_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stencil {
namespace {

Mask ones(Index height, Index width) {
  const std::vector<double> taps(height * width, 1.0);
  if (height == 1 || width == 1) return Mask::line(taps, width == 1 ? y_axis : x_axis);
  return Mask::grid(taps, height, width);
}

MethodSite grid(Index rows, Index columns, std::array<Index, 2> stride = {1, 1}) {
  MethodSite site{.stride = stride, .lines = rows};
  site.world = {{rows, columns}, 1, 4};
  site.axis_outputs = columns;
  return site;
}

TEST(MethodCosts, CountsOutputsTapsAndRows) {
  const WayWork line = work_by_taps(ones(1, 5), 0, grid(10, 640));
  EXPECT_EQ(line.way, Way::line);
  EXPECT_EQ(line.outputs, 6400);
  EXPECT_EQ(line.amounts[1], 6400 * 5);
  EXPECT_EQ(line.amounts[3], 10);
  const WayWork dense = work_by_taps(ones(3, 5), 0, grid(100, 640));
  EXPECT_EQ(dense.way, Way::dense);
  EXPECT_EQ(dense.amounts[1], 64000 * 15);
  // the work includes the sums along the rows above and below the outputs
  const WayWork separable = work_by_taps(ones(3, 5), 1, grid(100, 640));
  EXPECT_EQ(separable.way, Way::separable);
  EXPECT_EQ(separable.amounts[1], 102 * 640 * 5);
  EXPECT_EQ(separable.amounts[2], 64000 * 3);
  // with few multiply-adds, memory accesses take additional time; with many, they are hidden
  EXPECT_GT(dense.amounts[0], 0.8 * 64000);
  EXPECT_EQ(work_by_taps(ones(15, 15), 0, grid(100, 640)).amounts[0], 0);
}

TEST(MethodCosts, ShortRowsAndStridesAreOtherWork) {
  EXPECT_EQ(work_by_taps(ones(41, 3), 0, grid(100, 640)).way, Way::dense_rows);
  Mask holes = ones(3, 3);
  holes.taps.values[0] = 0;
  holes.multiply_zeros = false;
  const WayWork zeros = work_by_taps(holes, 0, grid(100, 640));
  EXPECT_EQ(zeros.way, Way::dense_zeros);
  EXPECT_EQ(zeros.amounts[1], 64000 * 8);
  // 5 columns are summed one by one, which takes as long as 5 vectors
  const WayWork narrow = work_by_taps(ones(1, 3), 0, grid(10, 5));
  EXPECT_EQ(narrow.amounts[1], 10 * 5 * 16 * 3);
  const WayWork strided = work_by_taps(ones(4, 4), 0, grid(99, 639, {2, 2}));
  EXPECT_EQ(strided.way, Way::dense_strided);
  EXPECT_EQ(strided.outputs, 50 * 320);
  // a stride of 2 is split with vector instructions
  EXPECT_DOUBLE_EQ(strided.amounts[5], 0.4 * 50 * (3 * 2 + 4) / 4 * 320 * 2);
  // 45 columns: two vectors side by side, and one vector that takes as long as two
  EXPECT_EQ(work_by_taps(ones(41, 3), 0, grid(10, 45)).amounts[1], 10 * (16 * 4) * 41 * 3);
}

TEST(MethodCosts, CountsWhatIsReadAgainAndWhatCachesHold) {
  const WayWork column = work_by_taps(ones(64, 1), 0, [] {
    MethodSite site = grid(640, 1000);
    site.axis_outputs = 640, site.lines = 1000;
    return site;
  }());
  EXPECT_EQ(column.way, Way::column);
  EXPECT_EQ(column.amounts[10], column.amounts[3] * 64);
  // 64 rows of 1000 numbers are 250 KiB
  EXPECT_NEAR(column.amounts[11] / column.amounts[1], std::log2(256000.0 / 16384), 1e-12);
  EXPECT_EQ(work_by_taps(ones(3, 3), 0, grid(100, 640)).amounts[9], 0);
  const WayWork large = work_by_taps(ones(3, 3), 0, grid(2000, 640));  // 10 MB in all
  EXPECT_EQ(large.amounts[9], large.amounts[0]);
}

TEST(MethodCosts, CountsWholeTilesAndTheirTablesOnce) {
  const FftTiles tiles{{64, 15}, {64, 15, fft_tile_unit}};  // 50 x 48 outputs
  MethodSite site = grid(101, 97);
  const WayWork once = work_by_tiles(tiles, site);
  EXPECT_EQ(once.amounts[1], 3 * 3 * 2048);
  EXPECT_EQ(once.amounts[2], 3 * 3 * 2048 * 11);
  EXPECT_EQ(once.amounts[8], 2048);
  EXPECT_EQ(once.amounts[9], 2 * 2048);  // two tiles have all of their inputs
  EXPECT_EQ(once.amounts[10], 7 * 2048);
  FftTiles on_lines = tiles;
  on_lines.on_lines = true;
  EXPECT_EQ(work_by_tiles(on_lines, site).amounts[9], 0);
  EXPECT_EQ(work_by_tiles(on_lines, site).amounts[10], 7 * 2048);
  site.steps = 7;
  const WayWork often = work_by_tiles(tiles, site);
  EXPECT_EQ(often.amounts[1], 7 * once.amounts[1]);
  EXPECT_EQ(often.amounts[8], once.amounts[8]);
  EXPECT_LT(cost_in_taps(often, 4), cost_in_taps(once, 4));
}

TEST(MethodCosts, CountsPairsOfBlocks) {
  const FftBlocks blocks{256, 17};  // 240 outputs
  const MethodSite site = grid(3, 481);
  const WayWork work = work_by_blocks(blocks, ones(1, 17), site);
  EXPECT_EQ(work.way, Way::fft_line);
  EXPECT_EQ(work.amounts[1], 3 * 2 * 256);
  EXPECT_EQ(work.amounts[2], 3 * 2 * 256 * 8);
  EXPECT_EQ(work.amounts[9], 3);
  EXPECT_EQ(work.amounts[10], 0);
  // to transpose the last two of 18 columns takes as long as 16 columns, but only two are
  // transformed
  MethodSite columns = grid(480, 18);
  columns.axis_outputs = 480, columns.lines = 18;
  EXPECT_EQ(work_by_blocks(blocks, ones(17, 1), columns).amounts[1], (18 + 32) / 2 * 256);
}

TEST(MethodCosts, TwoTransformsOfEvenStridesGoBackAsOne) {
  const FftBlocks blocks{256, 17};
  MethodSite site = grid(4, 480);
  site.stride = {1, 2};
  const auto points = [&](const FftBlocks& of) {
    return work_by_blocks(of, ones(1, of.width), site).amounts[1];
  };
  EXPECT_DOUBLE_EQ(points(blocks), 0.85 * 4 * 2 * 256);
  EXPECT_EQ(points({1 << 17, 17}), 4 << 17);
  site.stride = {1, 3};
  EXPECT_EQ(points(blocks), 4 * 3 * 256);
}

}  // namespace
}  // namespace stencil

#include "kernels/fft/fft_tiles.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(FftTiles, ReadWholeTilesWithinTheAxis) {
  const FftTiles tiles{{64, 3}, {32, 3, fft_tile_unit}};
  EXPECT_EQ(tiles.y.outputs(), 62);
  EXPECT_EQ(tiles.x.outputs(), 16);
  EXPECT_EQ(tiles.points(), 32 * 32);
  EXPECT_EQ(tiles.y.tiles({61, 63}, 1), (Interval{0, 2}));
  EXPECT_EQ(tiles.y.reads({62, 63}, 1, 1000), (Interval{62, 126}));
  EXPECT_EQ(tiles.y.reads({61, 63}, 1, 1000), (Interval{0, 126}));
  EXPECT_EQ(tiles.y.reads({62, 63}, 1, 70), (Interval{62, 72}));
  EXPECT_EQ(tiles.y.reads({20, 25}, 4, 25), (Interval{62, 99}));
  EXPECT_EQ(tiles.x.reads({40, 41}, 1, 1000), (Interval{32, 64}));
  EXPECT_TRUE(tiles.x.reads({7, 7}, 1, 100).empty());
  EXPECT_TRUE(tiles.x.tiles({7, 7}, 1).empty());
}

TEST(FftTiles, ALeadStandsInForInputs) {
  const FftTileAxis axis{64, 3, fft_tile_unit, 15};
  EXPECT_EQ(axis.inputs(), 49);
  EXPECT_EQ(axis.outputs(), 32);
  EXPECT_EQ(axis.reads({40, 41}, 1, 1000), (Interval{32, 81}));
  EXPECT_EQ(axis.reads({40, 41}, 1, 60), (Interval{32, 62}));
}

}  // namespace
}  // namespace stencil

#include "kernels/fft_tiles.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// The size of a mask, without its taps.
Mask ones(Index height, Index width) {
  return {.rank = 2, .taps = {height, width, {}}, .centre = {height / 2, width / 2}};
}

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

/// Cache lines of inputs begin at the centre of the mask for output 0.
TEST(FftTiles, LieOnCacheLinesWhereThatIsCheap) {
  const FftTileWorld world{{4000, 4000}, 1, 4};
  const FftTiles tiles = cut_fft_tiles(ones(31, 63), 256, 256, world);
  EXPECT_EQ(tiles.x.lead, 1);  // 31 inputs ahead of the centre
  EXPECT_TRUE(tiles.on_lines);
  EXPECT_EQ(tiles.y.lead, 0);
  const FftTiles by_eight = cut_fft_tiles(ones(31, 63), 256, 256, {{4000, 4000}, 1, 8});
  EXPECT_EQ(by_eight.x.lead, 1);
  EXPECT_EQ(cut_fft_tiles(ones(5, 21), 128, 256, world).x.lead, 6);
  const FftTiles without = cut_fft_tiles(ones(5, 33), 128, 256, world);
  EXPECT_EQ(without.x.lead, 0);
  EXPECT_TRUE(without.on_lines);
  const FftTiles dear = cut_fft_tiles(ones(5, 11), 64, 32, world);  // of 16 outputs
  EXPECT_EQ(dear.x.lead, 0);
  EXPECT_FALSE(dear.on_lines);
}

TEST(FftTiles, TheChosenOnesHoldTheMask) {
  for (const Index height : {2, 31, 63, 101, 255, 1000, 8192})
    for (const Index width : {2, 31, 63, 101, 255, 1000, 8192}) {
      const FftTiles tiles = choose_fft_tiles(ones(height, width), {{4000, 4000}, 1, 4});
      EXPECT_EQ(tiles.y.width, height);
      EXPECT_EQ(tiles.x.width, width);
      EXPECT_GE(tiles.y.outputs(), 1);
      EXPECT_GE(tiles.x.outputs(), fft_tile_unit);
      EXPECT_GE(tiles.y.points, 2 * least_fft_tile);
      EXPECT_LE(tiles.x.points, most_fft_tile);
    }
  EXPECT_THROW(choose_fft_tiles(ones(8193, 3), {{100, 100}, 1, 4}), ShapeError);
  EXPECT_FALSE(fits_fft_tiles(3, 8193));
}

TEST(FftTiles, SmallGridsGetSmallTiles) {
  const FftTiles small = choose_fft_tiles(ones(31, 31), {{32, 32}, 100, 4});
  EXPECT_EQ(small.y.points, 64);
  EXPECT_EQ(small.x.points, 64);
  const FftTiles large = choose_fft_tiles(ones(31, 31), {{4000, 4000}, 1, 4});
  EXPECT_GT(large.points(), small.points());
}

TEST(FftTiles, CostsGrowMoreSlowlyThanTaps) {
  const auto cost = [](Index w, Index element) {
    const FftTileWorld world{{4000, 4000}, 1, element};
    return fft_cost_in_taps(choose_fft_tiles(ones(w, w), world), world);
  };
  EXPECT_LT(cost(15, 4), cost(101, 4));
  EXPECT_LT(cost(101, 4), 101 * 101 / 10.0);
  EXPECT_LT(cost(255, 4), 255 * 255 / 50.0);
  EXPECT_GT(cost(255, 4), cost(101, 4));
}

}  // namespace
}  // namespace stencil

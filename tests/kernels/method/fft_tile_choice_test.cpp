#include "kernels/method/fft_tile_choice.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(FftTileChoice, LieOnCacheLinesWhereThatIsCheap) {
  const auto tiles = [](Index x, Index width, Index first_input, Index element = 4) {
    return with_lead({{128, 31}, {x, width, fft_tile_unit}},
                     {{4000, 4000}, 1, element, first_input});
  };
  EXPECT_EQ(tiles(256, 63, -31).x.lead, 1);
  EXPECT_TRUE(tiles(256, 63, -31).on_lines);
  EXPECT_EQ(tiles(256, 63, -31).y.lead, 0);
  EXPECT_EQ(tiles(256, 21, -10).x.lead, 6);
  EXPECT_EQ(tiles(256, 21, -10, 8).x.lead, 6);
  EXPECT_EQ(tiles(256, 21, 5).x.lead, 5);
  // 0: the first input of the mask is the first point, as with extent = valid
  for (const Index first_input : {-32, -16, 0, 48}) {
    EXPECT_EQ(tiles(256, 33, first_input).x.lead, 0);
    EXPECT_TRUE(tiles(256, 33, first_input).on_lines);
  }
  // tiles have only 16 outputs, so a lead would cost too much
  const FftTiles dear = tiles(32, 11, -5);
  EXPECT_EQ(dear.x.lead, 0);
  EXPECT_FALSE(dear.on_lines);
}

TEST(FftTileChoice, TheChosenOnesHoldTheMask) {
  for (const Index height : {2, 31, 63, 101, 255, 1000, 8192})
    for (const Index width : {2, 31, 63, 101, 255, 1000, 8192}) {
      const FftTiles tiles = choose_fft_tiles(height, width, {{4000, 4000}, 1, 4});
      EXPECT_EQ(tiles.y.width, height);
      EXPECT_EQ(tiles.x.width, width);
      EXPECT_GE(tiles.y.outputs(), 1);
      EXPECT_GE(tiles.x.outputs(), fft_tile_unit);
      EXPECT_GE(tiles.y.points, 2 * least_fft_tile);
      EXPECT_LE(tiles.x.points, most_fft_tile);
    }
  EXPECT_THROW(choose_fft_tiles(8193, 3, {{100, 100}, 1, 4}), ShapeError);
  EXPECT_FALSE(fits_fft_tiles(3, 8193));
}

TEST(FftTileChoice, SmallGridsGetSmallTiles) {
  const FftTiles small = choose_fft_tiles(31, 31, {{32, 32}, 100, 4});
  EXPECT_EQ(small.y.points, 64);
  EXPECT_EQ(small.x.points, 64);
  const FftTiles large = choose_fft_tiles(31, 31, {{4000, 4000}, 1, 4});
  EXPECT_GT(large.points(), small.points());
}

TEST(FftTileChoice, CostsGrowMoreSlowlyThanTaps) {
  const auto cost = [](Index w, Index element) {
    const FftTileWorld world{{4000, 4000}, 1, element};
    return fft_cost_in_taps(choose_fft_tiles(w, w, world), world);
  };
  EXPECT_LT(cost(15, 4), cost(101, 4));
  EXPECT_LT(cost(101, 4), 101 * 101 / 10.0);
  EXPECT_LT(cost(255, 4), 255 * 255 / 50.0);
  EXPECT_GT(cost(255, 4), cost(101, 4));
}

}  // namespace
}  // namespace stencil

#include "kernels/cpu/fft_tile_reach.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace stencil::cpu {
namespace {

/// The marked cells are those of the definition: a cell is marked if a bad input (NaN or Inf) lies
/// under the mask of any of its outputs.
TEST(FftTileReach, MarksTheCellsUnderWhoseMaskBadInputsLie) {
  const FftTiles tiles{{128, 10}, {256, 40, fft_tile_unit}};
  const FftTileReach reach(tiles);
  EXPECT_EQ(reach.rows(), 4);     // 119 outputs
  EXPECT_EQ(reach.columns(), 4);  // 208
  const Index pitch = 260;
  for (const auto& bad :
       std::vector<std::vector<std::pair<Index, Index>>>{{},
                                                         {{0, 0}},
                                                         {{127, 255}},
                                                         {{41, 103}},
                                                         {{40, 102}, {42, 104}},
                                                         {{127, 0}, {127, 250}},
                                                         {{5, 5}, {5, 6}, {6, 5}, {100, 200}}}) {
    std::vector<float> inputs(128 * pitch, 1.5f);
    for (const auto& [y, x] : bad)
      inputs[y * pitch + x] = y % 2 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                         : std::numeric_limits<float>::infinity();
    std::vector<int> counts(reach.counts(), 7);
    std::vector<unsigned char> reached(reach.cells(), 9);
    reach.clean(inputs.data(), pitch, counts.data(), reached.data());
    for (Index y = 0; y < 4; ++y)
      for (Index x = 0; x < 4; ++x) {
        bool expected = false;
        for (const auto& [row, column] : bad)
          expected |= row >= 32 * y && row < std::min<Index>(32 * (y + 1), 119) + 9 &&
                      column >= 64 * x && column < std::min<Index>(64 * (x + 1), 208) + 39;
        EXPECT_EQ(reached[4 * y + x], expected ? 1 : 0) << y << " " << x;
      }
    for (const auto& [y, x] : bad) EXPECT_EQ(inputs[y * pitch + x], 0);
    EXPECT_EQ(inputs[pitch + 1], 1.5f);
  }
}

}  // namespace
}  // namespace stencil::cpu

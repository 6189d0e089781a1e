#include "kernels/fft/fft_blocks.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(FftBlocks, ReadWholePairsWithinTheAxis) {
  const FftBlocks blocks{64, 3};
  EXPECT_EQ(blocks.outputs(), 48);
  EXPECT_EQ(blocks.pair(), 96);
  EXPECT_EQ(blocks.reads({96, 97}, 1, 1000), (Interval{96, 194}));
  EXPECT_EQ(blocks.reads({95, 97}, 1, 1000), (Interval{0, 194}));
  EXPECT_EQ(blocks.reads({96, 97}, 1, 100), (Interval{96, 102}));
  EXPECT_EQ(blocks.reads({20, 25}, 5, 25), (Interval{96, 123}));
  EXPECT_TRUE(blocks.reads({7, 7}, 1, 100).empty());
}

}  // namespace
}  // namespace stencil

#include "kernels/cuda/fft/memory.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using namespace cuda;

/// 100 taps in transforms of 1024 points: pairs of 2 x 912 outputs that read 1923 inputs.
constexpr FftBlocks blocks{1024, 100};
constexpr Index mebibyte = Index{1} << 20;

TEST(FftMemory, OfATransformAndOfALine) {
  EXPECT_EQ(fft_transform_bytes(blocks, 4), 8192);
  EXPECT_EQ(fft_line_bytes(blocks, 4), 61 * 32 * 4) << "1923 inputs begin groups of 32";
  EXPECT_EQ(fft_line_bytes(blocks, 8), 61 * 32 * 8);
}

TEST(FftMemory, PiecesFill48MebibytesInWholeGroupsOfColumns) {
  EXPECT_EQ(fft_pieces_at_once(blocks, 4, true, true), 48 * mebibyte / 8192);
  EXPECT_EQ(fft_pieces_at_once(blocks, 4, false, false), 48 * mebibyte / 7808 / 32 * 32);
  EXPECT_EQ(fft_pieces_at_once(blocks, 4, true, false), 1 << 15) << "nothing is in memory";
  EXPECT_EQ(fft_pieces_at_once({1 << 24, 100}, 4, true, true), 1) << "one is larger than that";
}

TEST(FftMemory, HoldsTablesAndThreeParts) {
  const Index tables = 3 * 8192, rounding = 16 * mebibyte;
  EXPECT_EQ(fft_device_bytes(blocks, 4, true), tables + rounding);
  EXPECT_EQ(fft_device_bytes(blocks, 4, false), tables + 3 * 6432 * 7808 + rounding);
  const Index large = Index{8} << 13;  // these bytes do not fit into 48 KiB of shared memory
  EXPECT_EQ(fft_device_bytes({8192, 100}, 4, true), 3 * large + 3 * 768 * large + rounding);
}

/// 33 x 31 taps in tiles of 256 x 128 points: 224 x 96 outputs in 7 x 2 cells.
TEST(FftMemory, OfTiles) {
  const FftTiles tiles{{256, 33}, {128, 31, fft_tile_unit}};
  const Index transform = 8 * 128 * 128;
  EXPECT_EQ(fft_tile_points_bytes(tiles, 4), transform);
  EXPECT_EQ(fft_tile_cells(tiles), 8 * 3);
  EXPECT_EQ(fft_tiles_at_once(tiles, 4), 12 * mebibyte / transform);
  EXPECT_EQ(fft_tiles_at_once({{16384, 33}, {16384, 31, fft_tile_unit}}, 8), 1);
  const Index mark = 4 * (2 + 8 * 3), marked = 4 * mebibyte / mark;
  EXPECT_EQ(fft_tiles_marked(tiles, 4), marked);
  EXPECT_EQ(fft_device_bytes(tiles, 4), (2 + 3 * 96) * transform + marked * mark + 16 * mebibyte);
}

}  // namespace
}  // namespace stencil

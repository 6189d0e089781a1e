#include "kernels/cuda/volume_scratch.hpp"

#include <gtest/gtest.h>

#include <random>

namespace stencil {
namespace {

using namespace cuda;

Index bytes_of(const Point& piece, Index depth, Index stride, Index terms, Index element) {
  const Index planes = (piece[batch_axis] - 1) * stride + depth;
  return planes * terms * piece[y_axis] * volume_scratch_pitch(piece[x_axis], element) * element;
}

TEST(VolumeScratch, RowsAreWholeCacheLines) {
  EXPECT_EQ(volume_scratch_pitch(1, 4), 32);
  EXPECT_EQ(volume_scratch_pitch(32, 4), 32);
  EXPECT_EQ(volume_scratch_pitch(33, 8), 48);
}

TEST(VolumeScratch, PiecesAreAsManyPlanesAsFit) {
  EXPECT_EQ(volume_piece({100, 64, 64}, 9, 1, 1, 4), (Point{100, 64, 64})) << "all fit";
  const Point piece = volume_piece({640, 640, 640}, 9, 1, 1, 4);
  EXPECT_EQ(piece, (Point{155, 640, 640}));
  EXPECT_GT(bytes_of({piece[0] + 1, 640, 640}, 9, 1, 1, 4), volume_scratch_bytes - 9);
}

/// Pieces are never empty, never larger than the outputs, and fit into the memory.
TEST(VolumeScratch, FitsForAnyExtents) {
  std::mt19937 random(3);
  const auto pick = [&](Index most) {
    return Index(std::exp(std::uniform_real_distribution<>(0, std::log(double(most)))(random)));
  };
  for (int n = 0; n < 2000; ++n) {
    const Point extent{pick(3000), pick(200000), pick(1000000)};
    const Index depth = 2 + pick(300), stride = pick(9), terms = 1 + n % 3, element = 4 + n % 2 * 4;
    const Point piece = volume_piece(extent, depth, stride, terms, element);
    for (int axis = 0; axis < axes; ++axis) {
      EXPECT_GE(piece[axis], 1);
      EXPECT_LE(piece[axis], extent[axis]);
    }
    EXPECT_LE(bytes_of(piece, depth, stride, terms, element), volume_scratch_bytes)
        << to_string(extent) << " of depth " << depth;
  }
}

}  // namespace
}  // namespace stencil

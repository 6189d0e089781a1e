#include "framework/device/field_layout.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// One row of points without ghosts.
Subdomain row_of(Index points) {
  return {{{0, 0, 0}, {1, 1, points}}, {}};
}

TEST(FieldLayout, OwnedPointsStartALineOf64Bytes) {
  const Subdomain subdomain{{{0, 0, 0}, {1, 3, 8}}, {{0, 1, 2}, {0, 1, 2}}};
  const FieldLayout floats = FieldLayout::of(subdomain, 4);
  EXPECT_EQ(floats.offset, 56) << "14 elements before the two ghosts: 16 of a line";
  EXPECT_EQ(floats.row_pitch, 32) << "14 + 12 in whole lines";
  EXPECT_EQ(floats.bytes, 5u * 32 * 4);
  const FieldLayout doubles = FieldLayout::of(subdomain, 8);
  EXPECT_EQ(doubles.offset, 48);
  EXPECT_EQ(doubles.row_pitch, 24);
  EXPECT_EQ(doubles.bytes, 5u * 24 * 8);
}

TEST(FieldLayout, LongRowsAreNoPowerOfTwoApart) {
  EXPECT_EQ(FieldLayout::of(row_of(1024), 4).row_pitch, 1040) << "one line more than 64";
  EXPECT_EQ(FieldLayout::of(row_of(512), 8).row_pitch, 520);
  EXPECT_EQ(FieldLayout::of(row_of(1040), 4).row_pitch, 1040) << "65 lines are fine";
  EXPECT_EQ(FieldLayout::of(row_of(512), 4).row_pitch, 512) << "so are few";
}

TEST(FieldLayout, BytesAreCheckedForOverflow) {
  EXPECT_EQ(FieldLayout::of(row_of(0), 4).bytes, 0u);
  const Index many = Index{1} << 40;
  EXPECT_THROW(FieldLayout::of({{{0, 0, 0}, {1, many, many}}, {}}, 4), ShapeError);
  EXPECT_THROW(FieldLayout::of(row_of(Index{1} << 61), 8), ShapeError);
}

}  // namespace
}  // namespace stencil

#include "framework/grid/shape.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

TEST(Shape, ProductsAndSumsAreCheckedAtTheEndsOf64Bits) {
  EXPECT_EQ(checked_multiply(Index{1} << 31, Index{1} << 31), Index{1} << 62);
  EXPECT_THROW(checked_multiply(Index{1} << 32, Index{1} << 31), ShapeError);
  EXPECT_EQ(checked_multiply(-(Index{1} << 32), Index{1} << 31), least);
  EXPECT_THROW(checked_multiply(least, -1), ShapeError);
  EXPECT_EQ(checked_add(most - 1, 1), most);
  EXPECT_THROW(checked_add(most, 1), ShapeError);
  EXPECT_THROW(checked_add(least, -1), ShapeError);
}

TEST(Shape, PointsAreCheckedAndNoneWhereAnExtentIsZero) {
  EXPECT_EQ(points({3, 4, 5}), 60);
  EXPECT_THROW(points({Index{1} << 32, Index{1} << 32, 1}), ShapeError);
  EXPECT_EQ(points({Index{1} << 32, Index{1} << 32, 0}), 0);
  EXPECT_EQ(points({0, Index{1} << 32, Index{1} << 32}), 0);
}

TEST(Shape, IsWrittenAsInTheConfiguration) {
  EXPECT_EQ(to_string(Point{256, 1024, 3}), "256x1024x3");
}

}  // namespace
}  // namespace stencil

#include "framework/grid/sampling.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(Sampling, CountsAndFirstInputsOfTheThreeExtents) {
  // 10 inputs and a mask of 4 taps, whose centre is tap 2
  const auto same = make_sampling(Extent::same, 10, 4, 2, 1);
  EXPECT_EQ(same.count, 10);
  EXPECT_EQ(same.low(0), -2);
  const auto valid = make_sampling(Extent::valid, 10, 4, 2, 1);
  EXPECT_EQ(valid.count, 7);
  EXPECT_EQ(valid.low(0), 0);
  EXPECT_EQ(valid.low(valid.count - 1) + valid.width, 10);
  const auto full = make_sampling(Extent::full, 10, 4, 2, 1);
  EXPECT_EQ(full.count, 13);
  EXPECT_EQ(full.low(0), -3);
  EXPECT_EQ(full.low(full.count - 1), 9);
}

TEST(Sampling, StrideKeepsEveryNth) {
  const auto s = make_sampling(Extent::same, 10, 3, 1, 4);
  EXPECT_EQ(s.count, 3);  // centres 0, 4, 8
  EXPECT_EQ(s.reads({0, 3}), (Interval{-1, 10}));
  EXPECT_EQ(s.reads({1, 2}), (Interval{3, 6}));
  EXPECT_TRUE(s.reads({2, 2}).empty());
}

TEST(Sampling, ValidWiderThanTheAxisIsRefused) {
  EXPECT_EQ(make_sampling(Extent::valid, 3, 3, 1, 1).count, 1);
  EXPECT_THROW(make_sampling(Extent::valid, 3, 4, 1, 1), ShapeError);
}

TEST(Sampling, EveryChannelOfABlockReadsTheWholeBlock) {
  const AxisSampling s = make_block_sampling(3, 6, 4);
  EXPECT_EQ(s.extent, 18);
  EXPECT_EQ(s.count, 12);
  EXPECT_EQ(s.reads({4, 8}), (Interval{6, 12}));
  EXPECT_EQ(s.reads({7, 8}), (Interval{6, 12}));
  EXPECT_EQ(s.reads({3, 9}), (Interval{0, 18}));
  EXPECT_TRUE(s.reads({4, 4}).empty());
}

}  // namespace
}  // namespace stencil

#include "kernels/cpu/fft_tile_work.hpp"

#include <gtest/gtest.h>

namespace stencil::cpu {
namespace {

/// The axis has 50 outputs with stride 3, a tile computes 62 outputs before striding, and the view
/// contains the outputs 15 to 44.
TEST(FftTileSpans, CountAlongTheWholeAxis) {
  const FftTileSpans spans({64, 3}, {15, 45}, 3, 50);
  EXPECT_EQ(spans.count(), 3);  // from output 45 to 132 before striding
  const FftTileSpan first = spans.span(0), last = spans.span(2);
  EXPECT_EQ(first.begin, 0);
  EXPECT_EQ(first.inputs, 64);
  EXPECT_EQ(first.outputs, (Interval{15, 21}));
  EXPECT_EQ(first.dense(3), (Interval{45, 61}));
  EXPECT_EQ(last.begin, 124);
  EXPECT_EQ(last.inputs, 150 - 124);  // 49 * 3 + 3 inputs
  EXPECT_EQ(last.outputs, (Interval{42, 45}));
  EXPECT_EQ(spans.input(last), 124);
  EXPECT_EQ(spans.first_input(), 45);
  EXPECT_EQ(spans.within(first, {32, 64}), (Interval{15, 21}));
  EXPECT_EQ(spans.within(first, {48, 64}), (Interval{16, 21}));
  EXPECT_EQ(spans.within(last, {0, 3}), (Interval{42, 43}));
  EXPECT_TRUE(spans.within(last, {1, 2}).empty());
}

}  // namespace
}  // namespace stencil::cpu

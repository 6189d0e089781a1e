#include "kernels/cpu/split_row.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using cpu::SplitRow;

/// Seven taps with a stride of three, a row of ten outputs, four bytes per element.
TEST(SplitRow, NeighbouringOutputsHaveNeighbouringInputs) {
  const SplitRow row(3, 7, 10, 4);
  EXPECT_EQ(row.parts(), 3);
  EXPECT_EQ(row.pitch(), 16) << "10 outputs and 2 more taps of a part fit into one line";
  EXPECT_EQ(row.size(), 48);
  EXPECT_EQ(row.offset(0), 0);
  EXPECT_EQ(row.offset(1), 16);
  EXPECT_EQ(row.offset(2), 32);
  EXPECT_EQ(row.offset(3), 1) << "tap 3 of an output is tap 0 of the next one";
  EXPECT_EQ(row.offset(6), 2);
}

TEST(SplitRow, InputsUnderNoTapHaveNoPart) {
  const SplitRow row(5, 3, 100, 8);
  EXPECT_EQ(row.parts(), 3);
  EXPECT_EQ(row.pitch(), 104) << "13 lines of 8";
}

}  // namespace
}  // namespace stencil

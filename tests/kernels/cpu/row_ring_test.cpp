#include "kernels/cpu/row_ring.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace stencil {
namespace {

using cpu::RowRing;

TEST(RowRing, RowsAreAnOddNumberOfCacheLinesApart) {
  EXPECT_EQ(RowRing<float>::size(1, 16), 16);
  EXPECT_EQ(RowRing<float>::size(1, 17), 48) << "two lines would do, three are odd";
  EXPECT_EQ(RowRing<float>::size(4, 17), 4 * 48);
  EXPECT_EQ(RowRing<double>::size(1, 16), 24);
}

TEST(RowRing, ARowTakesThePlaceOfTheOneThatManyRowsBefore) {
  std::vector<float> memory(std::size_t(RowRing<float>::size(4, 17)));
  const RowRing<float> ring(memory.data(), 4, 17);
  EXPECT_EQ(ring.pitch(), 48);
  EXPECT_EQ(ring.row(0), memory.data());
  EXPECT_EQ(ring.row(7), memory.data() + 3 * 48);
  EXPECT_EQ(ring.row(7), ring.row(3));
}

}  // namespace
}  // namespace stencil

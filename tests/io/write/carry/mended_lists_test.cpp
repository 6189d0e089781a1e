#include "io/write/carry/mended_lists.hpp"

#include <gtest/gtest.h>

namespace stencil::storage {
namespace {

using Numbers = std::vector<double>;

AxisSampling every(Index stride, Index first, Index count) {
  return {.extent = 20, .first = first, .stride = stride, .count = count};
}

TEST(MendedLists, take_the_values_of_the_points) {
  Numbers values(20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10.0 * static_cast<double>(i);
  EXPECT_TRUE(mend_list(Meaning::values, every(3, 4, 4), 20, values));
  EXPECT_EQ(values, (Numbers{40, 70, 100, 130}));
}

TEST(MendedLists, leave_lists_of_other_points_alone) {
  Numbers values{1, 2, 3};
  EXPECT_FALSE(mend_list(Meaning::values, every(3, 4, 4), 20, values));
  EXPECT_EQ(values, (Numbers{1, 2, 3}));
  Numbers indices{0, 20};
  EXPECT_FALSE(mend_list(Meaning::begin_index, every(1, 0, 10), 20, indices));
  Numbers all(20, 1.0);
  EXPECT_FALSE(mend_list(Meaning::values, every(1, -1, 21), 20, all)) << "beyond the edges";
}

TEST(MendedLists, count_parts_from_the_first_output_on) {
  Numbers begins{0, 10}, ends{9, 19};
  EXPECT_TRUE(mend_list(Meaning::begin_index, every(3, 4, 5), 20, begins));  // 4 7 10 13 16
  EXPECT_TRUE(mend_list(Meaning::end_index, every(3, 4, 5), 20, ends));
  EXPECT_EQ(begins, (Numbers{0, 2}));
  EXPECT_EQ(ends, (Numbers{1, 4}));
  Numbers gone{0, 18};
  EXPECT_FALSE(mend_list(Meaning::begin_index, every(3, 4, 5), 20, gone)) << "no point left";
}

TEST(MendedLists, find_the_point_that_was_taken_first) {
  const auto turned = [](double first) {
    Numbers number{first};
    EXPECT_TRUE(mend_list(Meaning::turn, every(3, 4, 5), 20, number));
    return number[0];
  };
  EXPECT_EQ(turned(8), 2);   // 10 is the next kept point
  EXPECT_EQ(turned(2), 0);   // 4
  EXPECT_EQ(turned(17), 0);  // no kept point follows, so the search continues from the beginning
}

}  // namespace
}  // namespace stencil::storage

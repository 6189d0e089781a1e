#include "drivers/plan/predict/transfer_boxes.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(TransferBoxes, CoverABoxInOrder) {
  const NormalForm form({3, 50, 40}, {1, 2});
  const Box box{{1, 5, 3}, {3, 45, 38}};
  for (const Index most : {1, 7, 34, 35, 36, 70, 1399, 1400, 1401, 5000}) {
    Index covered = 0;
    for (const Box& part : transfer_boxes(form, {}, box, most)) {
      EXPECT_TRUE(box.contains(part));
      EXPECT_LE(part.points(), most);
      covered += part.points();
    }
    EXPECT_EQ(covered, box.points()) << most;
  }
  EXPECT_EQ(transfer_boxes(form, {}, box, 2800), std::vector<Box>{box});
  EXPECT_EQ(transfer_boxes(form, {}, box, 1400).size(), 2u);
  EXPECT_TRUE(transfer_boxes(form, {}, {}, 10).empty());
}

TEST(TransferBoxes, CutBetweenChunks) {
  const NormalForm grid({50, 40}, {0, 1});
  for (const Index most : {1, 100, 400, 900})
    for (const Box& part : transfer_boxes(grid, {7, 16}, {{0, 3, 1}, {1, 50, 40}}, most)) {
      EXPECT_TRUE(part.first[y_axis] == 3 || part.first[y_axis] % 7 == 0) << to_string(part);
      EXPECT_TRUE(part.first[x_axis] == 1 || part.first[x_axis] % 16 == 0) << to_string(part);
      EXPECT_LE(part.points(), std::max<Index>(most, 7 * 16));
    }
  // two axes are folded; a row of chunks has 2 x 30 indices of the folded axis
  const NormalForm stack({9, 30, 8}, {2});
  ASSERT_EQ(stack.shape(), (Point{1, 270, 8}));
  for (const Box& part : transfer_boxes(stack, {2, 5, 8}, make_box(stack.shape()), 100))
    EXPECT_EQ(part.first[y_axis] % 60, 0) << to_string(part);
  // a preceding axis of one point does not prevent the division
  const NormalForm channel({1, 1000}, {1});
  EXPECT_EQ(transfer_boxes(channel, {1, 10}, make_box(channel.shape()), 100).size(), 10u);
}

}  // namespace
}  // namespace stencil

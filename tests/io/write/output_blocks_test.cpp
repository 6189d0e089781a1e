#include "io/write/output_blocks.hpp"

#include <gtest/gtest.h>

namespace stencil::storage {
namespace {

/// Every byte of the dataset is in exactly one block, where the row-major order of the file has it.
void expect_tiled(const std::vector<Index>& dims, Index element) {
  const BlockGrid grid(dims, {}, element);
  Index at = 0;
  for (Index block = 0; block < grid.size(); ++block) {
    EXPECT_EQ(grid.offset(block), at) << block;
    EXPECT_EQ(grid.stored_in(block).count, grid.points_in(block).count);
    const Index bytes = grid.points_in(block).points() * element;
    EXPECT_LE(bytes, grid.most_bytes());
    at += bytes;
  }
  EXPECT_EQ(at, points_of(dims) * element);
}

TEST(BlockGrid, contiguous_blocks_follow_each_other) {
  expect_tiled({1}, 4);
  expect_tiled({5'000'000}, 4);
  expect_tiled({3, 1, 700, 901}, 8);
  expect_tiled({40, 3'000'000}, 2);  // rows longer than a block
  expect_tiled({1000, 1, 1000}, 8);
}

TEST(BlockGrid, blocks_of_a_chunked_dataset_are_its_chunks) {
  const BlockGrid grid({7, 10}, {4, 8}, 2);
  ASSERT_EQ(grid.size(), 4);
  EXPECT_EQ(grid.points_in(3).start, (std::vector<Index>{4, 8}));
  EXPECT_EQ(grid.points_in(3).count, (std::vector<Index>{3, 2}));
  EXPECT_EQ(grid.stored_in(3).count, (std::vector<Index>{4, 8}));
  EXPECT_EQ(grid.offset(3), 3 * 4 * 8 * 2);
}

TEST(BlockGrid, a_hyperslab_touches_the_blocks_it_has_points_in) {
  const BlockGrid grid({10, 10}, {3, 4}, 1);  // 4 x 3 blocks
  EXPECT_EQ(grid.touched_by({{2, 4}, {2, 4}}), (std::vector<Index>{1, 4}));
  EXPECT_EQ(grid.touched_by({{9, 0}, {1, 10}}), (std::vector<Index>{9, 10, 11}));
  const Piece part = common_part(grid.points_in(4), {{2, 4}, {2, 4}});
  EXPECT_EQ(part.start, (std::vector<Index>{3, 4}));
  EXPECT_EQ(part.count, (std::vector<Index>{1, 4}));
}

}  // namespace
}  // namespace stencil::storage

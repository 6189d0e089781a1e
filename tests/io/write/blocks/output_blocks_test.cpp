#include "io/write/blocks/output_blocks.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace stencil::storage {
namespace {

/// Checks that every byte of the dataset is in exactly one block, at its row-major position in the
/// file.
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

TEST(BlockGrid, a_complex_number_is_missing_if_a_part_is_nan) {
  const auto missing = [](auto example, Index parts) {
    using Part = decltype(example);
    const Part nan = std::numeric_limits<Part>::quiet_NaN();
    const std::vector<Part> block{1, nan, nan, 1, nan, nan, 2, 3};
    return BlockGrid({4, 2}, {}, sizeof(Part), 0, parts)
        .missing_numbers(0, reinterpret_cast<const std::byte*>(block.data()));
  };
  EXPECT_EQ(missing(float{}, 2), 3);
  EXPECT_EQ(missing(double{}, 2), 3);
  EXPECT_EQ(missing(float{}, 1), 0) << "real numbers are counted one by one";
}

/// Returns the smallest number of rows whose multiples are all ends of blocks, found by trying all
/// numbers.
Index whole_rows_by_trial(const BlockGrid& grid, const std::vector<Index>& dims,
                          const Interval& axes) {
  Index rows = 1;
  for (Index axis = axes.first; axis < axes.last; ++axis)
    rows *= dims[static_cast<std::size_t>(axis)];
  // the rows, in row-major order of the folded axes, of every block's
  // first and last point
  std::vector<Interval> spans;
  for (Index block = 0; block < grid.size(); ++block) {
    const Piece points = grid.points_in(block);
    Index first = 0, last = 0;
    for (Index axis = axes.first; axis < axes.last; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      first = first * dims[at] + points.start[at];
      last = last * dims[at] + points.start[at] + points.count[at] - 1;
    }
    spans.push_back({first, last});
  }
  for (Index unit = 1; unit < rows; ++unit) {
    bool fits = true;
    for (const Interval& span : spans) fits &= span.first / unit == span.last / unit;
    if (fits) return unit;
  }
  return rows;
}

TEST(BlockGrid, whole_rows_end_where_blocks_end) {
  struct Case {
    std::vector<Index> dims, chunk;
    Interval axes;
  };
  for (const Case& c :
       {Case{{40, 5}, {7, 5}, {0, 1}}, Case{{40, 5}, {1, 5}, {0, 1}},
        Case{{40, 5}, {40, 2}, {0, 1}}, Case{{6, 9, 4}, {1, 4, 4}, {0, 2}},
        Case{{6, 8, 4}, {1, 4, 4}, {0, 2}}, Case{{6, 9, 4}, {2, 9, 4}, {0, 2}},
        Case{{6, 9, 4}, {2, 3, 4}, {0, 2}}, Case{{1, 9, 4}, {1, 4, 4}, {0, 2}},
        Case{{3, 4, 5, 2}, {1, 2, 3, 2}, {0, 3}}, Case{{3, 4, 6, 2}, {1, 1, 3, 1}, {0, 3}},
        Case{{5, 6, 7}, {1, 1, 1}, {0, 2}}, Case{{1, 30, 7}, {1, 4, 7}, {1, 2}}}) {
    const BlockGrid grid(c.dims, c.chunk, 4);
    EXPECT_EQ(grid.whole_rows(c.axes), whole_rows_by_trial(grid, c.dims, c.axes))
        << c.dims[0] << " " << c.chunk[0] << " " << c.chunk[1];
  }
  const BlockGrid rows({1, 3000, 401}, {}, 4);  // blocks of 653 rows
  EXPECT_EQ(rows.whole_rows({1, 2}), (Index{1} << 20) / (401 * 4));
  const BlockGrid long_rows({100, 3'000'000}, {}, 4);
  EXPECT_EQ(long_rows.whole_rows({0, 1}), 1);
}

}  // namespace
}  // namespace stencil::storage

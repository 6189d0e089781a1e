#include "io/hdf5/virtual_mapping.hpp"
#include "io/hdf5/dataset_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace stencil::storage {
namespace {

using Extents = std::vector<Index>;

TEST(VirtualMapping, shapes_are_the_same_but_for_axes_of_one_point) {
  EXPECT_TRUE(is_same_shape({4, 5}, {4, 5}));
  EXPECT_TRUE(is_same_shape({1, 7}, {7}));
  EXPECT_TRUE(is_same_shape({7}, {1, 7, 1}));
  EXPECT_TRUE(is_same_shape({3, 1, 5}, {1, 3, 5}));
  EXPECT_TRUE(is_same_shape({1, 1}, {1}));
  EXPECT_FALSE(is_same_shape({4, 5}, {5, 4}));
  EXPECT_FALSE(is_same_shape({20}, {4, 5}));
  EXPECT_FALSE(is_same_shape({4, 5}, {4}));
  EXPECT_FALSE(is_same_shape({1}, {2}));
}

TEST(VirtualMapping, a_hyperslab_takes_what_it_shares_with_the_mapping) {
  const VirtualMapping rows{3, {10, 0}, {10, 8}, {2, 4}, {10, 8}};
  const auto part = mapped_part(rows, {{15, 2}, {20, 3}});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->here.start, (Extents{15, 2}));
  EXPECT_EQ(part->here.count, (Extents{5, 3}));
  EXPECT_EQ(part->there.start, (Extents{7, 6}));
  EXPECT_EQ(part->there.count, (Extents{5, 3}));
  EXPECT_FALSE(mapped_part(rows, {{0, 0}, {10, 8}}));
  EXPECT_FALSE(mapped_part(rows, {{20, 0}, {1, 8}}));
}

TEST(VirtualMapping, axes_of_one_point_may_stand_elsewhere_in_the_source) {
  const VirtualMapping row{0, {6, 0, 0}, {1, 1, 100}, {50, 9}, {100, 1}};
  const auto part = mapped_part(row, {{0, 0, 20}, {9, 1, 30}});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->here.start, (Extents{6, 0, 20}));
  EXPECT_EQ(part->here.count, (Extents{1, 1, 30}));
  EXPECT_EQ(part->there.start, (Extents{70, 9}));
  EXPECT_EQ(part->there.count, (Extents{30, 1}));
}

TEST(VirtualMapping, a_part_of_one_point_keeps_the_axes_apart) {
  const VirtualMapping plane{0, {0, 5, 0}, {4, 1, 6}, {1, 1}, {4, 6}};
  const auto part = mapped_part(plane, {{2, 5, 3}, {1, 1, 1}});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->there.start, (Extents{3, 4}));
  EXPECT_EQ(part->there.count, (Extents{1, 1}));
}

TEST(VirtualMapping, mappings_that_cover_more_than_there_is_overlap) {
  const VirtualMapping a{0, {0}, {6}, {0}, {6}}, b{0, {6}, {4}, {0}, {4}}, c{0, {5}, {5}, {0}, {5}};
  EXPECT_TRUE(are_disjoint({a, b}, 10));
  EXPECT_FALSE(are_disjoint({a, c}, 10));
}

TEST(VirtualMapping, what_is_left_of_a_box_is_disjoint_and_all_the_rest) {
  const Piece box{{2, 3, 0}, {4, 5, 3}};
  for (const Piece& other : {Piece{{3, 4, 1}, {1, 2, 1}}, Piece{{0, 0, 0}, {3, 9, 9}},
                             Piece{{0, 0, 0}, {9, 9, 9}}, Piece{{6, 3, 0}, {4, 5, 3}}}) {
    std::vector<int> met(10 * 10 * 10, 0);
    const auto mark = [&](const Piece& piece, int number) {
      for (Index z = piece.start[0]; z < piece.start[0] + piece.count[0]; ++z)
        for (Index y = piece.start[1]; y < piece.start[1] + piece.count[1]; ++y)
          for (Index x = piece.start[2]; x < piece.start[2] + piece.count[2]; ++x)
            met[std::size_t((z * 10 + y) * 10 + x)] += number;
    };
    const auto wanted = [&] {
      mark(box, 1);
      mark(other, -10);
      for (int& number : met) number = number == 1 ? 1 : 0;
      return met;
    }();
    std::fill(met.begin(), met.end(), 0);
    for (const Piece& piece : without({box}, other)) mark(piece, 1);
    EXPECT_EQ(met, wanted);
  }
}

}  // namespace
}  // namespace stencil::storage

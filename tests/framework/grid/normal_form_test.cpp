#include "framework/grid/normal_form.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(NormalForm, FoldsAsTheClassCommentShows) {
  EXPECT_EQ(NormalForm({9}, {0}).shape(), (Point{1, 1, 9}));
  EXPECT_EQ(NormalForm({7, 5}, {0}).shape(), (Point{1, 7, 5}));
  EXPECT_EQ(NormalForm({4, 6, 8}, {1, 2}).shape(), (Point{4, 6, 8}));
  EXPECT_EQ(NormalForm({2, 3, 11, 5, 7}, {2}).shape(), (Point{6, 11, 35}));
  EXPECT_EQ(NormalForm({2, 3, 11}, {2}).shape(), (Point{1, 6, 11}));
  EXPECT_EQ(NormalForm({4, 6, 8}, {0, 1, 2}).shape(), (Point{4, 6, 8}));
  EXPECT_EQ(NormalForm({2, 3, 11, 5, 7}, {2}).normal_axis(4), x_axis);
}

TEST(NormalForm, AxesOfOnePointDisappear) {
  EXPECT_EQ(NormalForm({1000, 1}, {0}).shape(), (Point{1, 1, 1000}));
  EXPECT_EQ(NormalForm({1, 1000}, {1}).shape(), (Point{1, 1, 1000}));
  EXPECT_EQ(NormalForm({1, 7, 1, 9, 1}, {1, 3}).shape(), (Point{1, 7, 9}));
  EXPECT_EQ(NormalForm({5, 1, 1}, {1}).shape(), (Point{1, 5, 1}));
  EXPECT_EQ(NormalForm({1000, 1}, {0}).reshaped({1, 1, 4}).dims(), (std::vector<Index>{4, 1}));
  EXPECT_EQ(NormalForm({1, 7, 1, 9, 1}, {1, 3}).reshaped({1, 2, 4}).dims(),
            (std::vector<Index>{1, 2, 1, 4, 1}));
  EXPECT_EQ(NormalForm({1, 1}, {0}).reshaped({1, 1, 3}).dims(), (std::vector<Index>{3, 1}));
}

TEST(NormalForm, RefusesWhatDoesNotFold) {
  EXPECT_THROW(NormalForm({2, 3, 4, 5}, {1, 3}), ShapeError);
  EXPECT_THROW(NormalForm({2, 0, 4}, {2}), ShapeError);
  EXPECT_THROW(NormalForm({std::numeric_limits<Index>::max(), 3}, {1}), ShapeError);
}

/// Compares every point of the box, as global indices of the normal form, in the order of the
/// slabs' points, with the same point in the indices of the dataset.
void check_slabs(const NormalForm& form, const Box& box) {
  std::set<Index> seen;
  Index previous_total = 0;
  for (const Slab& slab : form.slabs(box)) {
    ASSERT_EQ(slab.start.size(), form.dims().size());
    Index count = 1;
    for (Index c : slab.count) count *= c;
    ASSERT_EQ(count, slab.box.points());
    EXPECT_TRUE(box.contains(slab.box));
    const Point extent = slab.box.extent();
    for (Index i = 0; i < count; ++i) {
      // i-th point in row-major order on either side must be the same element
      Index rest = i, flat = 0, scale = 1;
      for (std::size_t axis = slab.count.size(); axis-- > 0;) {
        flat += (slab.start[axis] + rest % slab.count[axis]) * scale;
        rest /= slab.count[axis];
        scale *= form.dims()[axis];
      }
      const Point p{slab.box.first[0] + i / (extent[1] * extent[2]),
                    slab.box.first[1] + i / extent[2] % extent[1],
                    slab.box.first[2] + i % extent[2]};
      EXPECT_EQ(flat, (p[0] * form.shape()[1] + p[1]) * form.shape()[2] + p[2]);
      EXPECT_TRUE(seen.insert(flat).second);
    }
    previous_total += count;
  }
  EXPECT_EQ(previous_total, box.points());
}

TEST(NormalForm, SlabsAreTheBox) {
  const NormalForm plain({4, 6, 8}, {1, 2});
  EXPECT_EQ(plain.slabs({{1, 2, 3}, {4, 5, 6}}).size(), 1u);
  EXPECT_TRUE(plain.slabs({{1, 2, 3}, {1, 5, 6}}).empty());
  check_slabs(plain, {{1, 2, 3}, {4, 5, 6}});
  const NormalForm folded({3, 4, 5, 2, 3}, {2});  // [12, 5, 6]
  for (Index b0 : {0, 1, 4, 5, 11})
    for (Index b1 : {1, 2, 5, 8, 12})
      for (Index x0 : {0, 1, 3, 5})
        for (Index x1 : {1, 4, 6}) {
          if (b0 >= b1 || x0 >= x1) continue;
          check_slabs(folded, {{b0, 1, x0}, {b1, 4, x1}});
        }
  const NormalForm deep({2, 3, 2, 5}, {3});  // [1, 12, 5]
  for (Index a = 0; a < 12; ++a)
    for (Index b = a + 1; b <= 12; ++b) check_slabs(deep, {{0, a, 1}, {1, b, 4}});
  EXPECT_LE(deep.slabs({{0, 1, 0}, {1, 11, 5}}).size(), 5u);
}

TEST(NormalForm, ReshapedChangesActiveAxesOnly) {
  const NormalForm form({2, 3, 11, 5}, {2});
  const NormalForm out = form.reshaped({6, 4, 5});
  EXPECT_EQ(out.dims(), (std::vector<Index>{2, 3, 4, 5}));
  EXPECT_EQ(out.shape(), (Point{6, 4, 5}));
}

}  // namespace
}  // namespace stencil

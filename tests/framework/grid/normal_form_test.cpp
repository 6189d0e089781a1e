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
  EXPECT_THROW(NormalForm({2, 3, 4, 5}, {0, 1, 2, 3}), ShapeError);
  EXPECT_THROW(NormalForm({2, 3, 4, 5}, {0, 1, 2, 3}, {0, 1}), ShapeError);
  EXPECT_THROW(NormalForm({2, 0, 4}, {2}), ShapeError);
  EXPECT_THROW(NormalForm({std::numeric_limits<Index>::max(), 3}, {1}), ShapeError);
}

/// Compares, for every point of the box, two positions in the dataset: the position that follows
/// from the indices of the slab, and the position that follows from the indices in the normal form.
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
      // the i-th point of the slab and of the box, both in row-major order, must be the same
      // element
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

/// Compares the position of every point of a box in memory with its position in the dataset.
void check_pitches(const NormalForm& form, const Box& box) {
  const Point shape = form.shape(), extent = box.extent();
  std::set<Index> seen;
  for (const Slab& slab : form.slabs(box)) {
    const auto pitch = form.pitches(extent[1] * extent[2], extent[2]);
    ASSERT_EQ(pitch.size(), form.dims().size());
    Index points = 1;
    for (const Index count : slab.count) points *= count;
    for (Index i = 0; i < points; ++i) {
      std::vector<Index> index(slab.count.size());
      const Point corner{slab.box.first[0] - box.first[0], slab.box.first[1] - box.first[1],
                         slab.box.first[2] - box.first[2]};
      Index place = (corner[0] * extent[1] + corner[1]) * extent[2] + corner[2], rest = i;
      for (std::size_t axis = index.size(); axis-- > 0; rest /= slab.count[axis]) {
        index[axis] = slab.start[axis] + rest % slab.count[axis];
        place += rest % slab.count[axis] * pitch[axis];
      }
      Point normal{};  // the index along each normal axis, from the indices along its dataset axes
      for (int axis = 0; axis < axes; ++axis)
        for (const int member : form.dataset_axes(axis))
          normal[axis] = normal[axis] * form.dims()[member] + index[member];
      EXPECT_EQ(place,
                ((normal[0] - box.first[0]) * extent[1] + normal[1] - box.first[1]) * extent[2] +
                    normal[2] - box.first[2]);
      EXPECT_TRUE(seen.insert((normal[0] * shape[1] + normal[1]) * shape[2] + normal[2]).second);
    }
  }
  EXPECT_EQ(std::ssize(seen), box.points());
}

TEST(NormalForm, ReordersAxesThatDoNotFold) {
  const NormalForm colours({6, 8, 3}, {0, 1}, {0, 1});
  EXPECT_EQ(colours.shape(), (Point{3, 6, 8}));
  EXPECT_FALSE(colours.keeps_order());
  EXPECT_EQ(colours.active_axis(y_axis), 0);
  EXPECT_EQ(colours.active_axis(batch_axis), -1);
  check_pitches(colours, {{1, 0, 2}, {3, 5, 7}});
  // two masks of one axis each, which do not require that the two axes form a plane
  const NormalForm stack({2, 4, 3, 5, 2}, {1, 3});
  EXPECT_EQ(stack.shape(), (Point{12, 4, 5}));
  EXPECT_EQ(stack.dataset_axes(batch_axis), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(stack.normal_axis(4), batch_axis);
  for (Index a = 0; a < 12; ++a)
    for (Index b = a + 1; b <= 12; ++b) check_pitches(stack, {{a, 1, 0}, {b, 4, 3}});
  // a mask of two axes and a mask of the third axis
  const NormalForm three({7, 5, 3}, {0, 1, 2}, {0, 1});
  EXPECT_EQ(three.shape(), (Point{3, 7, 5}));
  EXPECT_EQ(three.active_axis(batch_axis), 2);
  EXPECT_EQ(three.reshaped({2, 6, 5}).dims(), (std::vector<Index>{6, 5, 2}));
}

TEST(NormalForm, NumbersVolumesBesideThreeAxes) {
  const NormalForm stack({2, 3, 4, 5, 6}, {2, 3, 4});
  EXPECT_EQ(stack.shape(), (Point{4, 5, 6}));
  EXPECT_EQ(stack.volumes(), 6);
  EXPECT_TRUE(stack.keeps_order());
  EXPECT_EQ(stack.volume_axes(), (std::vector<int>{0, 1}));
  const std::vector<Slab> slabs = stack.volume(4).slabs({{1, 0, 0}, {3, 5, 6}});
  ASSERT_EQ(slabs.size(), 1u);
  EXPECT_EQ(slabs[0].start, (std::vector<Index>{1, 1, 1, 0, 0}));
  EXPECT_EQ(slabs[0].count, (std::vector<Index>{1, 1, 2, 5, 6}));
  EXPECT_EQ(stack.reshaped({2, 5, 3}).dims(), (std::vector<Index>{2, 3, 2, 5, 3}));
  const NormalForm apart({4, 2, 5, 6, 3}, {0, 2, 3},
                         {0, 2});  // a mask over a plane, and a mask along another axis
  EXPECT_EQ(apart.shape(), (Point{6, 4, 5}));
  EXPECT_EQ(apart.volumes(), 6);
  EXPECT_FALSE(apart.keeps_order());
  const std::vector<Slab> third = apart.volume(5).slabs({{0, 1, 0}, {6, 3, 5}});
  EXPECT_EQ(third[0].start, (std::vector<Index>{1, 1, 0, 0, 2}));
  EXPECT_EQ(apart.pitches(20, 5), (std::vector<Index>{5, 0, 1, 20, 0}));
  EXPECT_EQ(NormalForm({4, 6, 8}, {0, 1, 2}).volumes(), 1);
}

TEST(NormalForm, MakesNoRowsOfTwoParts) {
  const auto form = [](const std::vector<Index>& dims, const std::vector<int>& active,
                       const std::vector<int>& plane = {}) {
    return NormalForm(dims, active, plane, true);
  };
  EXPECT_EQ(form({9, 2}, {0}).shape(), (Point{2, 1, 9}));
  EXPECT_EQ(form({5, 9, 2}, {1}).shape(), (Point{10, 1, 9}));
  EXPECT_EQ(form({5, 9, 1, 2}, {1}).shape(), (Point{10, 1, 9}));
  EXPECT_EQ(form({9, 5, 2}, {0}).shape(), (Point{1, 9, 10}));
  EXPECT_TRUE(form({9, 5, 2}, {0}).keeps_order());
  EXPECT_EQ(form({4, 5, 9, 2}, {1, 2}, {1, 2}).shape(), (Point{8, 5, 9}));
  EXPECT_EQ(form({5, 9, 2}, {0, 1}).shape(), (Point{2, 5, 9}));
  EXPECT_EQ(form({3, 5, 9, 2}, {0, 1, 2}).volumes(), 2);
  const NormalForm series = form({5, 9, 2}, {1});
  EXPECT_EQ(series.active_axis(x_axis), 1);
  EXPECT_EQ(series.active_axis(y_axis), -1);
  EXPECT_EQ(series.pitches(20, 20), (std::vector<Index>{40, 1, 20}));
  EXPECT_EQ(series.reshaped({10, 1, 4}).dims(), (std::vector<Index>{5, 4, 2}));
}

TEST(NormalForm, KeepsTheOrderWhereItCan) {
  for (const NormalForm& form :
       {NormalForm({4, 6, 8}, {1, 2}, {1, 2}), NormalForm({6, 8, 1}, {0, 1}, {0, 1}),
        NormalForm({2, 3, 1, 8}, {1, 3}, {1, 3}), NormalForm({5, 6, 3}, {0, 1})}) {
    EXPECT_TRUE(form.keeps_order());
    EXPECT_TRUE(form.pitches(48, 8).empty());
  }
}

TEST(NormalForm, IsOutermostWhereItsIndicesAreContiguousInTheDataset) {
  EXPECT_TRUE(NormalForm({4, 6, 8}, {1, 2}).is_outermost(batch_axis));
  EXPECT_FALSE(NormalForm({4, 6, 8}, {1, 2}).is_outermost(y_axis));
  EXPECT_TRUE(NormalForm({1, 6, 8}, {1, 2}).is_outermost(y_axis));
  const NormalForm colours({6, 8, 3}, {0, 1}, {0, 1});
  EXPECT_TRUE(colours.is_outermost(y_axis));
  EXPECT_FALSE(colours.is_outermost(batch_axis));
  EXPECT_FALSE(NormalForm({2, 4, 3, 5}, {1, 3}).is_outermost(batch_axis));
}

TEST(NormalForm, ReshapedChangesActiveAxesOnly) {
  const NormalForm form({2, 3, 11, 5}, {2});
  const NormalForm out = form.reshaped({6, 4, 5});
  EXPECT_EQ(out.dims(), (std::vector<Index>{2, 3, 4, 5}));
  EXPECT_EQ(out.shape(), (Point{6, 4, 5}));
}

}  // namespace
}  // namespace stencil

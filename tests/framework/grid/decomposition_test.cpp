#include "framework/grid/decomposition.hpp"

#include <gtest/gtest.h>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

TEST(Decomposition, BlocksCoverTheWorldOnce) {
  for (const Point& shape : {Point{1, 1, 17}, {1, 6, 8}, {3, 5, 7}})
    for (const Point& grid : {Point{1, 1, 1}, {1, 2, 3}, {3, 1, 7}, {1, 1, 16}}) {
      const Decomposition d(shape, grid);
      Index total = 0;
      for (int a = 0; a < d.blocks(); ++a) {
        EXPECT_EQ(d.rank_at(d.coordinates(a)), a);
        total += d.owned(a).points();
        for (int b = 0; b < a; ++b) EXPECT_TRUE(intersect(d.owned(a), d.owned(b)).empty());
      }
      EXPECT_EQ(total, points(shape));
      EXPECT_TRUE(d.owned(d.blocks()).empty());
    }
}

TEST(Decomposition, WorkedExampleNumbersRanksWithXFastest) {
  const Decomposition d({1, 6, 8}, {1, 2, 2});
  EXPECT_EQ(d.owned(2), (Box{{0, 3, 0}, {1, 6, 4}}));
  EXPECT_EQ(d.part_of(y_axis, 2), 0);
  EXPECT_EQ(d.part_of(y_axis, 3), 1);
}

TEST(Decomposition, SampledOutputsStayWithTheInputUnderTheCentre) {
  for (Index stride : {1, 2, 3, 7, 40})
    for (Extent extent : {Extent::same, Extent::valid, Extent::full}) {
      for (Index n : {23, 6}) {
        const Decomposition in({1, 1, n}, {1, 1, 9});  // more blocks than points for n = 6
        std::array<AxisSampling, axes> sampling{};
        sampling[x_axis] = make_sampling(extent, n, 6, 3, stride);
        const AxisSampling& s = sampling[x_axis];
        const Decomposition out = in.sampled(sampling);
        EXPECT_EQ(out.shape()[x_axis], s.count);
        for (Index o = 0; o < s.count; ++o) {
          const Index centre = std::clamp<Index>(s.first + o * stride, 0, n - 1);
          EXPECT_EQ(out.part_of(x_axis, o), in.part_of(x_axis, centre))
              << o << " stride " << stride;
        }
      }
    }
}

TEST(Decomposition, ChoosesSlabsForWideHalosAndUsesNoMoreBlocksThanPoints) {
  const Halo halo{{0, 1, 1}, {0, 1, 1}};
  // rows are not divided while there are enough rows
  EXPECT_EQ(choose_decomposition({1, 4000, 4000}, halo, 4).grid(), (Point{1, 4, 1}));
  // a division along batch needs no halos
  EXPECT_EQ(choose_decomposition({8, 4000, 4000}, halo, 4).grid(), (Point{4, 1, 1}));
  // a signal can only be divided along its one axis
  EXPECT_EQ(choose_decomposition({1, 1, 1 << 20}, {{0, 0, 5}, {0, 0, 5}}, 6).grid(),
            (Point{1, 1, 6}));
  const Decomposition few = choose_decomposition({1, 2, 1}, halo, 7);
  EXPECT_EQ(few.blocks(), 2);
  EXPECT_TRUE(few.owned(6).empty());
  for (int ranks = 1; ranks < 40; ++ranks)
    EXPECT_LE(choose_decomposition({2, 3, 5}, halo, ranks).blocks(), ranks);
}

TEST(Decomposition, ImagesAreNotCutBetweenTheirChannels) {
  const Decomposition d({15, 8, 4}, {2, 1, 1}, 3);
  EXPECT_EQ(d.part(batch_axis, 0), (Interval{0, 9}));
  EXPECT_EQ(d.part(batch_axis, 1), (Interval{9, 15}));
  EXPECT_THROW(Decomposition({16, 8, 4}, {2, 1, 1}, 3), ShapeError);
  for (int ranks : {1, 2, 3, 4, 5, 6, 7, 11}) {
    const Decomposition chosen = choose_decomposition({15, 8, 4}, {}, ranks, 3);
    EXPECT_LE(chosen.blocks(), ranks);
    for (Index k = 0; k < chosen.grid()[0]; ++k) EXPECT_EQ(chosen.part(0, k).first % 3, 0);
  }
}

TEST(Decomposition, OutputChannelsStayWithTheirImage) {
  const Decomposition d({15, 8, 4}, {2, 1, 1}, 3);
  const std::array<AxisSampling, axes> sampling{make_block_sampling(5, 3, 7),
                                                make_sampling(Extent::same, 8, 1, 0, 1),
                                                make_sampling(Extent::same, 4, 1, 0, 1)};
  const Decomposition out = d.sampled(sampling);
  EXPECT_EQ(out.shape(), (Point{35, 8, 4}));
  EXPECT_EQ(out.part(batch_axis, 0), (Interval{0, 21}));
  EXPECT_EQ(out.part(batch_axis, 1), (Interval{21, 35}));
  for (Index k : {0, 1})
    EXPECT_EQ(sampling[0].reads(out.part(batch_axis, k)), d.part(batch_axis, k));
}

TEST(Decomposition, RefusesAnImpossibleGrid) {
  EXPECT_THROW(Decomposition({1, 4, 4}, {1, 0, 2}), ShapeError);
}

}  // namespace
}  // namespace stencil

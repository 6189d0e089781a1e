#include "framework/grid/subdomain.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(Subdomain, LocalAndGlobalIndicesAreEachOthersInverse) {
  const Subdomain subdomain{{{2, 3, 0}, {4, 6, 8}}, {{1, 1, 2}, {0, 2, 3}}};
  EXPECT_EQ(subdomain.ghosted(), (Box{{1, 2, -2}, {4, 8, 11}}));
  EXPECT_EQ(subdomain.local_extent(), (Point{3, 6, 13}));
  EXPECT_EQ(subdomain.local({1, 2, -2}), (Point{0, 0, 0})) << "the first ghost";
  EXPECT_EQ(subdomain.local({2, 3, 0}), (Point{1, 1, 2})) << "the first owned point";
  EXPECT_EQ(subdomain.global(subdomain.local({3, 7, 10})), (Point{3, 7, 10}));
}

TEST(Subdomain, WorkedExampleOfTheClassComment) {
  const Subdomain subdomain{{{0, 0, 0}, {1, 3, 8}}, {{0, 1, 2}, {0, 1, 2}}};
  EXPECT_EQ(subdomain.local({0, 0, 0}), (Point{0, 1, 2}));
  EXPECT_EQ(subdomain.global({0, 1, 2}), (Point{0, 0, 0}));
}

TEST(Subdomain, OfARankWithoutPointsHasNoGhosts) {
  const Subdomain idle{{{0, 6, 0}, {1, 6, 8}}, {{0, 1, 2}, {0, 1, 2}}};
  EXPECT_EQ(points(idle.local_extent()), 0);
}

/// An array of 6 x 8 points in two slabs, and a mask of 3 x 3 taps: the outputs that the second
/// slab computes before its ghosts have arrived, and those that it computes afterwards.
TEST(WorkSplit, OfASlabAndThreeByThreeTaps) {
  const std::array sampling{make_sampling(Extent::same, 1, 1, 0, 1),
                            make_sampling(Extent::same, 6, 3, 1, 1),
                            make_sampling(Extent::same, 8, 3, 1, 1)};
  const Box slab{{0, 3, 0}, {1, 6, 8}};
  const WorkSplit rows = split_work(slab, slab, sampling, {false, true, false});
  EXPECT_EQ(rows.inner, (Box{{0, 4, 0}, {1, 5, 8}}));
  EXPECT_EQ(rows.rim, (std::vector<Box>{{{0, 3, 0}, {1, 4, 8}}, {{0, 5, 0}, {1, 6, 8}}}));
  const WorkSplit both = split_work(slab, slab, sampling, {false, true, true});
  EXPECT_EQ(both.inner, (Box{{0, 4, 1}, {1, 5, 7}}));
  EXPECT_EQ(both.rim, (std::vector<Box>{{{0, 3, 0}, {1, 4, 8}},
                                        {{0, 5, 0}, {1, 6, 8}},
                                        {{0, 4, 0}, {1, 5, 1}},
                                        {{0, 4, 7}, {1, 5, 8}}}));
  const WorkSplit none = split_work(slab, slab, sampling, {false, false, false});
  EXPECT_EQ(none.inner, slab);
  EXPECT_TRUE(none.rim.empty());
  const Box row{{0, 3, 0}, {1, 4, 8}};
  const WorkSplit thin = split_work(row, row, sampling, {false, true, false});
  EXPECT_TRUE(thin.inner.empty()) << "every output of a single row reads ghosts";
  EXPECT_EQ(thin.rim, std::vector<Box>{row});
}

TEST(WorkSplit, InnerAndRimCoverTheOutputsOnce) {
  for (Index stride : {1, 2, 3, 5})
    for (Index width : {1, 2, 3, 7, 20})
      for (Extent extent : {Extent::same, Extent::full}) {
        const auto sy = make_sampling(extent, 40, width, width / 2, stride);
        const auto sx = make_sampling(extent, 30, 3, 1, 1);
        const std::array<AxisSampling, axes> sampling{AxisSampling{.extent = 2, .count = 2}, sy,
                                                      sx};
        const Decomposition input({2, 40, 30}, {1, 3, 2});
        const Decomposition output = input.sampled(sampling);
        for (int rank = 0; rank < input.blocks(); ++rank) {
          const Box outputs = output.owned(rank), owned = input.owned(rank);
          const WorkSplit split = split_work(outputs, owned, sampling, {false, true, true});
          Index covered = split.inner.points();
          for (const Box& box : split.rim) {
            EXPECT_FALSE(box.empty());
            EXPECT_TRUE(outputs.contains(box));
            EXPECT_TRUE(intersect(box, split.inner).empty());
            covered += box.points();
          }
          EXPECT_EQ(covered, outputs.points());
          for (int axis : {y_axis, x_axis}) {
            if (split.inner.empty()) continue;
            const Interval reads = sampling[axis].reads(split.inner.along(axis));
            EXPECT_GE(reads.first, owned.first[axis]);
            EXPECT_LE(reads.last, owned.last[axis]);
          }
        }
      }
}

}  // namespace
}  // namespace stencil

#include "kernels/cpu/work_cut.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

using cpu::cached_panel;
using cpu::WorkCut;

TEST(WorkCut, PiecesHoldEveryOutputOnce) {
  for (const Point extent : {Point{1, 1, 1}, {1, 1, 5000}, {3, 7, 65}, {2, 100, 700}, {1, 513, 40}})
    for (const Index panel : {64, 512, 32768})
      for (const Index overlap : {0, 6})
        for (const int threads : {1, 2, 7}) {
          const WorkCut cut(extent, panel, overlap, threads);
          std::vector<int> times(std::size_t(points(extent)));
          for (Index n = 0; n < cut.count(); ++n) {
            const Box piece = cut.piece(n);
            if (piece.empty()) continue;
            ASSERT_TRUE(make_box(extent).contains(piece)) << to_string(piece);
            ASSERT_LE(piece.along(x_axis).extent(), cut.panel());
            for (Index b = piece.first[0]; b < piece.last[0]; ++b)
              for (Index y = piece.first[1]; y < piece.last[1]; ++y)
                for (Index x = piece.first[2]; x < piece.last[2]; ++x)
                  ++times[std::size_t((b * extent[1] + y) * extent[2] + x)];
          }
          for (const int count : times) ASSERT_EQ(count, 1) << to_string(extent);
        }
}

TEST(WorkCut, EveryThreadHasWork) {
  EXPECT_EQ(WorkCut({1, 1000, 1000}, 32768, 0, 1).count(), 1) << "one thread, rows that fit";
  EXPECT_GE(WorkCut({1, 1, 1 << 20}, 32768, 0, 8).count(), 32) << "one long signal, along x";
  EXPECT_GE(WorkCut({1, 4000, 600}, 32768, 2, 8).count(), 32) << "a grid, along y";
  EXPECT_GE(WorkCut({1, 16, 512}, 32768, 64, 8).count(), 8) << "rather rows that are summed twice";
}

TEST(WorkCut, PanelsAreAsWideAsTheCacheHoldsRows) {
  EXPECT_EQ(cached_panel(5, 4), 19648) << "384 KiB over 5 rows of 4 bytes, in whole 64 points";
  EXPECT_EQ(cached_panel(1, 4), 32768) << "the widest";
  EXPECT_EQ(cached_panel(1000, 8), 512) << "the narrowest";
}

}  // namespace
}  // namespace stencil

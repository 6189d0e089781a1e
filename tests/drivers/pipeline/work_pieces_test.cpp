#include "drivers/pipeline/work_pieces.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <set>

#include "drivers/pipeline/chain.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Expects boxes that contain every point of `all` exactly once.
void expect_cover(const std::vector<Box>& boxes, const Box& all) {
  Index points = 0;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    EXPECT_FALSE(boxes[k].empty());
    EXPECT_TRUE(all.contains(boxes[k])) << to_string(boxes[k]);
    points += boxes[k].points();
    for (std::size_t j = 0; j < k; ++j) EXPECT_TRUE(intersect(boxes[j], boxes[k]).empty());
  }
  EXPECT_EQ(points, all.points());
}

TEST(WorkPieces, EveryPointIsInOnePiece) {
  const Stage grid{.mask = Mask::grid(std::vector<double>(25, 1), 5, 5)};
  Stage mix{.channels = make_channel_mask({3, 2, 1, 1}, std::vector<double>(6, 1))};
  for (const Stage& stage : {grid, mix})
    for (const Point& shape : {Point{2, 1, 1}, Point{2, 700, 800}, Point{200, 1, 3000},
                               Point{2, 100000, 3}, Point{2, 3, 100000}})
      for (const int threads : {1, 3})
        for (const bool is_square : {false, true}) {
          const BoundStage bound = make_chain({stage}, shape, Precision::float32).stages.front();
          const Box all = make_box(bound.output.shape());
          const std::vector<Box> pieces = cut_pieces(bound, all, threads, is_square);
          expect_cover(pieces, all);
          const Index unit = bound.sampling[batch_axis].block_out;
          for (const Box& piece : pieces) {
            EXPECT_EQ(piece.first[batch_axis] % unit, 0);
            EXPECT_EQ(piece.last[batch_axis] % unit, 0);
          }
        }
}

TEST(WorkPieces, PiecesAreNotMuchSmallerThanTheMask) {
  const Stage tall{.mask = Mask::line(std::vector<double>(900, 1), y_axis),
                   .method = MethodRequest::direct};
  const BoundStage bound = make_chain({tall}, {1, 20000, 200}, Precision::float32).stages.front();
  for (const Box& piece : cut_pieces(bound, make_box({1, 20000, 200}), 1, false))
    if (piece.last[y_axis] < 20000) {
      EXPECT_GE(piece.extent()[y_axis], 3 * 900);
    }
}

TEST(WorkPieces, NoPieceDividesWhatATransformMakes) {
  const Stage line{.mask = Mask::line(std::vector<double>(200, 1)), .method = MethodRequest::fft};
  Stage strided = line;
  strided.stride = {1, 3};
  const Stage grid{.mask = Mask::grid(std::vector<double>(81, 1), 9, 9),
                   .method = MethodRequest::fft};
  for (const Stage& stage : {line, strided, grid}) {
    const Chain chain = make_chain({stage}, {1, 3000, 300000}, Precision::float32);
    const BoundStage& bound = chain.stages.front();
    const bool is_line = bound.choice.tiles.empty();
    const std::vector<Box> pieces = cut_pieces(bound, make_box(bound.output.shape()), 1, false);
    EXPECT_GT(pieces.size(), 10u);
    for (const Box& piece : pieces) {
      const Index x = piece.first[x_axis] * bound.sampling[x_axis].stride;
      EXPECT_EQ(x % (is_line ? bound.choice.blocks.pair() : bound.choice.tiles.x.outputs()), 0);
      if (!is_line) {
        EXPECT_EQ(piece.first[y_axis] % bound.choice.tiles.y.outputs(), 0);
      }
    }
  }
}

TEST(WorkPieces, PartsHoldEveryPointAndWhatATransformMakes) {
  const Stage grid{.mask = Mask::grid(std::vector<double>(961, 1), 31, 31),
                   .method = MethodRequest::direct};
  const Stage line{.mask = Mask::line(std::vector<double>(200, 1)), .method = MethodRequest::fft};
  for (const Stage& stage : {grid, line})
    for (const Point& shape : {Point{1, 1, 100}, Point{3, 1200, 1100}, Point{1, 1, 100000000}}) {
      const BoundStage bound = make_chain({stage}, shape, Precision::float32).stages.front();
      const Box all = make_box(bound.output.shape());
      const std::vector<Box> parts = cut_parts(bound, all);
      expect_cover(parts, all);
      EXPECT_EQ(parts.size() > 1, bound.adds_per_point() * double(all.points()) > 1 << 29);
      if (bound.choice.method == Method::fft)
        for (const Box& part : parts) {
          EXPECT_EQ(part.first[x_axis] % bound.choice.blocks.pair(), 0);
        }
    }
}

TEST(WorkPieces, RoundsTakeAllPiecesAndEndWhereBetweenThrows) {
  static int calls;
  calls = 0;
  const Stage grid{.mask = Mask::grid(std::vector<double>(961, 1), 31, 31),
                   .method = MethodRequest::direct};
  const BoundStage bound = make_chain({grid}, {1, 2000, 2000}, Precision::float32).stages.front();
  const Box all = make_box({1, 2000, 2000});
  const std::vector<Box> pieces = cut_pieces(bound, all, 2, false);
  std::atomic<Index> points = 0;
  const auto body = [&](const Box& piece, int) { points += piece.points(); };
  for_each_piece(
      bound, pieces, [] { ++calls; }, body);
  EXPECT_EQ(points, all.points());
  EXPECT_GE(calls, 5);
  calls = 0;
  const auto third = [] {
    if (++calls == 3) throw UsageError("enough");
  };
  EXPECT_THROW(for_each_piece(bound, pieces, third, body), UsageError);
  EXPECT_LT(points, 2 * all.points());
}

TEST(WorkPieces, AroundABox) {
  const Box all{{1, 2, 3}, {9, 10, 11}};
  for (const Box& inner : {Box{{2, 4, 5}, {8, 9, 10}}, Box{{1, 2, 3}, {9, 10, 11}},
                           Box{{1, 4, 3}, {9, 9, 11}}, Box{{1, 2, 5}, {9, 10, 6}}}) {
    std::vector<Box> boxes = around(all, inner);
    boxes.push_back(inner);
    expect_cover(boxes, all);
  }
  EXPECT_EQ(around(all, {}), std::vector<Box>{all});
}

TEST(WorkPieces, ThreadsTakeAllPiecesAndTheFirstErrorIsThrown) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    const std::vector<Box> pieces(50, make_box({1, 1, 1}));
    std::atomic<int> calls = 0;
    for_each_piece(pieces, [&](const Box&, int thread) {
      EXPECT_LT(thread, threads);
      EXPECT_EQ(omp_get_max_threads(), 1) << "kernels in a piece start no threads";
      ++calls;
    });
    EXPECT_EQ(calls, 50);
    EXPECT_EQ(omp_get_max_threads(), threads);
    EXPECT_THROW(for_each_piece(pieces, [](const Box&, int) { throw MemoryError("none"); }),
                 MemoryError);
    for_each_piece({pieces.front()},
                   [&](const Box&, int) { EXPECT_EQ(omp_get_max_threads(), threads); });
  }
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace stencil

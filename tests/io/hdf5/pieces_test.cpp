#include "io/hdf5/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/transfer.hpp"

namespace stencil::storage {
namespace {

/// Returns the row-major offset in the hyperslab of a point of a piece, computed by a simple but
/// slow loop.
Index plain_offset(const Piece& whole, const Piece& piece, Index point) {
  Index offset = 0, pitch = 1;
  for (std::size_t axis = piece.count.size(); axis-- > 0;) {
    offset += (piece.start[axis] - whole.start[axis] + point % piece.count[axis]) * pitch;
    point /= piece.count[axis];
    pitch *= whole.count[axis];
  }
  return offset;
}

struct Case {
  Piece whole;
  std::vector<Index> chunk;
  Index limit;
};

const std::vector<Case> cases{
    {{{0}, {1000}}, {}, 64 * 4},
    {{{3, 5}, {40, 30}}, {}, 100 * 4},
    {{{3, 5}, {40, 30}}, {}, 7 * 4},
    {{{3, 5}, {40, 30}}, {8, 8}, 8 * 40 * 4},
    {{{3, 5}, {40, 30}}, {8, 8}, 3 * 64 * 4},
    {{{1, 2, 3}, {9, 7, 11}}, {4, 3, 5}, 70 * 4},
    {{{1, 2, 3}, {9, 7, 11}}, {1, 7, 11}, 77 * 4},
    {{{2, 0, 0, 1}, {3, 2, 4, 5}}, {}, 9 * 4},
};

TEST(Pieces, cover_every_point_once_within_the_limit) {
  for (const Case& c : cases) {
    std::vector<int> seen(static_cast<std::size_t>(c.whole.points()), 0);
    const std::vector<Piece> pieces = cut(c.whole, c.chunk, 4, c.limit);
    EXPECT_GT(pieces.size(), 1u);
    for (const Piece& piece : pieces) {
      EXPECT_LE(piece.points() * 4, c.limit);
      for (Index k = 0; k < piece.points(); ++k)
        ++seen[static_cast<std::size_t>(plain_offset(c.whole, piece, k))];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), c.whole.points());
  }
}

TEST(Pieces, never_split_a_chunk) {
  for (const Case& c : cases) {
    if (c.chunk.empty()) continue;
    for (const Piece& piece : cut(c.whole, c.chunk, 4, c.limit))
      for (std::size_t axis = 0; axis < c.chunk.size(); ++axis) {
        const Index first = piece.start[axis], last = first + piece.count[axis];
        const Index end = c.whole.start[axis] + c.whole.count[axis];
        EXPECT_TRUE(first == c.whole.start[axis] || first % c.chunk[axis] == 0);
        EXPECT_TRUE(last == end || last % c.chunk[axis] == 0);
      }
  }
}

TEST(Pieces, a_chunk_beyond_the_limit_stays_whole) {
  const auto pieces = cut({{0, 0}, {100, 100}}, {50, 50}, 4, 100 * 4);
  EXPECT_EQ(pieces.size(), 4u);
}

TEST(Pieces, chunks_whose_points_do_not_fit_into_64_bits_are_an_error) {
  EXPECT_THROW(cut({{0, 0}, {1 << 16, 1 << 16}}, {Index{1} << 40, Index{1} << 40}, 4), ShapeError);
  EXPECT_THROW(cache_for({5, 5}, {Index{1} << 40, Index{1} << 40}, 4), ShapeError);
}

TEST(Pieces, meet_a_bounded_number_of_chunks) {
  const auto chunks_of = [](const Piece& whole, const std::vector<Index>& chunk) {
    Index most = 0;
    for (const Piece& piece : cut(whole, chunk, 4)) {
      Index chunks = 1;
      for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
        const Index first = piece.start[axis], last = first + piece.count[axis] - 1;
        chunks *= last / chunk[axis] - first / chunk[axis] + 1;
      }
      most = std::max(most, chunks);
    }
    return most;
  };
  EXPECT_LE(chunks_of({{0, 0}, {1000, 1000}}, {1, 1}), 2 * most_chunks);
  EXPECT_LE(chunks_of({{5, 5}, {4000, 3000}}, {3, 7}), 2 * most_chunks);
  EXPECT_LE(chunks_of({{0, 7}, {1 << 20, 1}}, {16, 64}), 2 * most_chunks);  // a thin piece
  EXPECT_EQ(chunks_of({{0, 0}, {100, 100}}, {10, 10}), 100);
}

TEST(Pieces, the_cache_of_tiny_chunks_has_no_huge_table) {
  const ChunkCache cache = cache_for({2, Index{1} << 30}, {1, 1}, 1);
  EXPECT_LE(cache.slots * 8, Index{100} << 20);
  EXPECT_EQ(cache_for({100, 100}, {10, 10}, 4).bytes, Index{1} << 20);
  EXPECT_EQ(cache_for({100, 100}, {}, 4).bytes, 0);
}

TEST(Pieces, nothing_is_cut_that_fits) {
  const auto pieces = cut({{5, 5}, {40, 30}}, {8, 8}, 4);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].start, (std::vector<Index>{5, 5}));
  EXPECT_EQ(pieces[0].count, (std::vector<Index>{40, 30}));
}

TEST(Pieces, runs_tell_where_the_points_of_a_piece_lie) {
  for (const Case& c : cases)
    for (const Piece& piece : cut(c.whole, c.chunk, 4, c.limit)) {
      const Runs runs(c.whole, piece);
      for (Index k = 0; k < piece.points(); ++k)
        ASSERT_EQ(runs.offset(k / runs.length()) + k % runs.length(),
                  plain_offset(c.whole, piece, k));
    }
}

TEST(Pieces, runs_are_as_long_as_they_can_be) {
  EXPECT_EQ(Runs({{0, 0, 0}, {5, 6, 7}}, {{2, 0, 0}, {2, 6, 7}}).length(), 2 * 6 * 7);
  EXPECT_EQ(Runs({{0, 0, 0}, {5, 6, 7}}, {{0, 1, 0}, {5, 3, 7}}).length(), 3 * 7);
  EXPECT_EQ(Runs({{0, 0, 0}, {5, 6, 7}}, {{0, 0, 1}, {5, 6, 3}}).length(), 3);
}

TEST(Pieces, stretches_meet_every_point_of_the_view_in_order) {
  const Piece whole{{0}, {60}};
  // rows of 5 points with a pitch of 10: [3, 4, 5] in [3, 4, 10]
  std::vector<int> memory(3 * 4 * 10, -1);
  const FieldView<int> view{memory.data(), {3, 4, 5}, 40, 10};
  for (const Piece& piece : {Piece{{0}, {17}}, Piece{{17}, {43}}}) {
    const Runs runs(whole, piece);
    for_stretches(runs, view, 0, piece.points(), [&](Index k, int* to, Index n) {
      for (Index i = 0; i < n; ++i) to[i] = static_cast<int>(piece.start[0] + k + i);
    });
  }
  for (Index b = 0; b < 3; ++b)
    for (Index y = 0; y < 4; ++y)
      for (Index x = 0; x < 10; ++x)
        EXPECT_EQ(memory[static_cast<std::size_t>(b * 40 + y * 10 + x)],
                  x < 5 ? (b * 4 + y) * 5 + x : -1);
}

TEST(Pieces, scattered_points_are_read_and_set_where_they_lie) {
  const NormalForm form({5, 7, 3, 2}, {0, 2}, {0, 2});  // [14, 5, 3]
  const Box box{{3, 1, 0}, {13, 5, 3}};
  const Point extent = box.extent();
  std::vector<double> memory(static_cast<std::size_t>(box.points()), -1);
  const FieldView<double> view{memory.data(), extent, extent[1] * extent[2], extent[2]};
  const auto value = [](Index a, Index b, Index c, Index d) {
    return static_cast<double>(((a * 10 + b) * 10 + c) * 10 + d);
  };
  for (const Slab& slab : form.slabs(box)) {
    const SlabView<double> there(form, slab, box, view);
    const SlabView<const double> constant(form, slab, box, view);
    const Piece whole{slab.start, slab.count};
    const auto of = [&](Index k) {  // value of the k-th point
      std::array<Index, 4> at{};
      for (std::size_t axis = 4; axis-- > 0; k /= slab.count[axis])
        at[axis] = slab.start[axis] + k % slab.count[axis];
      return value(at[0], at[1], at[2], at[3]);
    };
    const Runs runs(whole, whole);
    for (Index first = 0; first < whole.points(); first += 11) {
      const Index last = std::min(first + 11, whole.points());
      for_stretches<Use::sets>(runs, there, first, last, [&](Index k, double* to, Index n) {
        for (Index i = 0; i < n; ++i) to[i] = of(k + i) - 1;
      });
      for_stretches<Use::changes>(runs, there, first, last, [&](Index, double* to, Index n) {
        for (Index i = 0; i < n; ++i) to[i] += 1;
      });
      for_stretches<Use::reads>(runs, constant, first, last,
                                [&](Index k, const double* from, Index n) {
                                  for (Index i = 0; i < n; ++i) EXPECT_EQ(from[i], of(k + i));
                                });
    }
  }
  for (Index batch = 0; batch < extent[0]; ++batch)
    for (Index y = 0; y < extent[1]; ++y)
      for (Index x = 0; x < extent[2]; ++x)
        EXPECT_EQ(view.at(batch, y, x), value(y + 1, (batch + 3) / 2, x, (batch + 3) % 2));
}

}  // namespace
}  // namespace stencil::storage

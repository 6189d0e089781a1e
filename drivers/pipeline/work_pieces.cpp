#include "drivers/pipeline/work_pieces.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>

namespace stencil {
namespace {

constexpr Index cached_points = Index{1} << 16;  // 256 or 512 KiB of inputs, and as many outputs
// for smaller pieces, calling a kernel takes longer than computing the sums
constexpr Index smallest_piece = Index{1} << 13;
constexpr Index square_row = 256;
constexpr Index pieces_per_thread = 4;
constexpr double adds_of_part = 1 << 29;

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

/// Along each axis, the least length of a piece, and the number of which the length of every piece
/// is a multiple.
struct PieceLimits {
  Point least{1, 1, 16};
  Point unit{1, 1, 1};
  Index row =
      Index{1} << 62;  ///< row length assumed when y is cut; longer rows are then cut along x
};

/// Returns the number of outputs along an axis that one transform computes together; 1 without
/// transforms. If pieces divided these outputs, the inputs would be transformed twice.
Index outputs_together(const BoundStage& stage, int axis) {
  const MethodChoice& choice = stage.choice;
  if (choice.method != Method::fft || stage.fft_reads_beyond(axis) == 0) return 1;
  const Index dense = choice.tiles.empty()
                          ? choice.blocks.pair()
                          : (axis == x_axis ? choice.tiles.x : choice.tiles.y).outputs();
  return dense / std::gcd(dense, stage.sampling[axis].stride);
}

PieceLimits limits_of(const BoundStage& stage, bool is_square) {
  PieceLimits limits;
  if (is_square) limits.row = square_row;
  for (int axis = 0; axis < axes; ++axis) {
    const AxisSampling& along = stage.sampling[axis];
    const Index reads = along.width - 1 + stage.reads_beyond(axis) - stage.fft_reads_beyond(axis);
    limits.least[axis] = std::max(limits.least[axis], divide_up(4 * reads, along.stride));
    limits.unit[axis] = along.block_out * outputs_together(stage, axis);
  }
  return limits;
}

/// Returns the lengths of pieces: batch is cut first, then y, then x.
Point lengths_of(const Point& extent, const PieceLimits& limits, Index most) {
  Point length = extent;
  const auto cut = [&](int axis, Index others) {
    const Index unit = limits.unit[axis];
    const Index wanted = std::max({most / std::max<Index>(1, others), limits.least[axis], unit});
    length[axis] = std::min(extent[axis], divide_up(wanted, unit) * unit);
  };
  cut(batch_axis, extent[1] * extent[2]);
  cut(y_axis, length[0] * std::min(extent[2], limits.row));
  cut(x_axis, length[0] * length[1]);
  return length;
}

std::vector<Box> cut_at(const Box& box, const Point& length) {
  std::vector<Box> pieces;
  Point at;
  for (at[0] = box.first[0]; at[0] < box.last[0]; at[0] += length[0])
    for (at[1] = box.first[1]; at[1] < box.last[1]; at[1] += length[1])
      for (at[2] = box.first[2]; at[2] < box.last[2]; at[2] += length[2]) {
        Box piece;
        for (int axis = 0; axis < axes; ++axis)
          piece.set(axis, {at[axis], std::min(at[axis] + length[axis], box.last[axis])});
        pieces.push_back(piece);
      }
  return pieces;
}

std::vector<Box> cut(const Box& box, const PieceLimits& limits, int threads) {
  const Index all = box.points();
  if (all == 0) return {};
  if (all <= small_box) return {box};
  Index most = cached_points;
  if (threads > 1)
    most = std::clamp(all / (pieces_per_thread * threads), smallest_piece, cached_points);
  return cut_at(box, lengths_of(box.extent(), limits, most));
}

/// Returns the number of outputs that take a few tenths of a second.
Index part_of(const BoundStage& stage) {
  const double outputs = adds_of_part / std::max(1.0, stage.adds_per_point());
  return std::max(cached_points, static_cast<Index>(outputs));
}

}  // namespace

std::vector<Box> cut_pieces(const BoundStage& stage, const Box& outputs, int threads,
                            bool is_square) {
  return cut(outputs, limits_of(stage, is_square), threads);
}

std::vector<Box> cut_pieces(const Box& box, int threads) {
  return cut(box, {}, threads);
}

std::vector<Box> cut_parts(const BoundStage& stage, const Box& outputs) {
  if (outputs.points() == 0) return {};
  return cut_at(outputs, lengths_of(outputs.extent(), limits_of(stage, false), part_of(stage)));
}

std::vector<Box> around(const Box& all, const Box& inner) {
  if (inner.empty()) return {all};
  std::vector<Box> sides;
  Box rest = all;
  for (int axis = 0; axis < axes; ++axis) {
    for (const Interval side : {Interval{all.first[axis], inner.first[axis]},
                                Interval{inner.last[axis], all.last[axis]}}) {
      if (side.empty()) continue;
      Box box = rest;
      box.set(axis, side);
      sides.push_back(box);
    }
    rest.set(axis, inner.along(axis));
  }
  return sides;
}

void for_each_piece(const std::vector<Box>& pieces,
                    const std::function<void(const Box&, int)>& body) {
  const int threads = omp_get_max_threads(), count = static_cast<int>(pieces.size());
  if (count == 1 || threads == 1) {
    for (const Box& piece : pieces) body(piece, 0);
    return;
  }
  std::exception_ptr failure;
  std::atomic<bool> has_failed = false;
#pragma omp parallel num_threads(std::min(threads, count))
  {
    omp_set_num_threads(1);  // only for this thread: kernels start no further threads
#pragma omp for schedule(dynamic)
    for (int n = 0; n < count; ++n) {
      if (has_failed) continue;
      try {
        body(pieces[std::size_t(n)], omp_get_thread_num());
      } catch (...) {
        if (!has_failed.exchange(true)) failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void for_each_piece(const BoundStage& stage, const std::vector<Box>& pieces, void (*between)(),
                    const std::function<void(const Box&, int)>& body) {
  if (between == nullptr || pieces.empty()) return for_each_piece(pieces, body);
  const auto most = static_cast<std::size_t>(part_of(stage) / pieces.front().points());
  const std::size_t round = std::max(most, std::size_t(omp_get_max_threads()));
  for (std::size_t first = 0; first < pieces.size(); first += round) {
    between();
    const std::size_t last = std::min(pieces.size(), first + round);
    for_each_piece({pieces.begin() + std::ptrdiff_t(first), pieces.begin() + std::ptrdiff_t(last)},
                   body);
  }
}

}  // namespace stencil

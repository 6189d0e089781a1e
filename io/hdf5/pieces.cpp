#include "io/hdf5/pieces.hpp"

#include <algorithm>
#include <limits>

namespace stencil::storage {
namespace {

Index round_down(Index value, Index multiple) {
  return value / multiple * multiple;
}

/// Extents of the pieces along every axis, in multiples of `step`, at least one step.
std::vector<Index> thickness(const std::vector<Index>& count, const std::vector<Index>& step,
                             Index most_points) {
  std::vector<Index> thick = count;
  for (std::size_t axis = 0; axis < count.size(); ++axis) {
    Index inner = 1;
    for (std::size_t i = axis + 1; i < count.size(); ++i) inner *= count[i];
    const Index most = most_points / inner;  // greatest extent along this axis if the inner axes
                                             // are whole
    if (thick[axis] <= most) break;
    thick[axis] = std::max(step[axis], round_down(most, step[axis]));
    if (most >= step[axis]) break;
    most_points = std::max<Index>(1, most_points / std::min(thick[axis], count[axis]));
  }
  return thick;
}

/// Number of points of a part of the hyperslab that intersects `chunks` chunks on average; thin
/// hyperslabs intersect many chunks.
Index points_of_chunks(const Piece& whole, const std::vector<Index>& chunk, Index chunks) {
  if (chunk.empty()) return std::numeric_limits<Index>::max();
  Index met = 1;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const Index first = whole.start[axis], last = first + whole.count[axis] - 1;
    // the product does not overflow, because it is at most the number of points
    met *= last / chunk[axis] - first / chunk[axis] + 1;
  }
  return met <= chunks ? whole.points() : std::max<Index>(1, whole.points() / met * chunks);
}

}  // namespace

Index Piece::points() const {
  return points_of(count);
}

Index points_of(const std::vector<Index>& chunk) {
  Index product = 1;
  for (const Index extent : chunk) product = checked_multiply(product, extent);
  return product;
}

Index most_points(const std::vector<Index>& chunk, Index element_bytes, Index limit) {
  const Index most = std::max<Index>(1, limit / element_bytes), whole_chunk = points_of(chunk);
  return whole_chunk <= largest_piece_bytes / element_bytes ? std::max(most, whole_chunk) : most;
}

std::vector<Piece> cut(const Piece& whole, const std::vector<Index>& chunk, Index element_bytes,
                       Index limit) {
  const std::size_t rank = whole.count.size();
  const Index few = points_of_chunks(whole, chunk, most_chunks);
  if (whole.points() <= std::min(few, std::max<Index>(1, limit / element_bytes))) return {whole};
  const Index most = std::min(few, most_points(chunk, element_bytes, limit));
  std::vector<Index> step = chunk.empty() ? std::vector<Index>(rank, 1) : chunk;
  if (points_of(step) > most) step.assign(rank, 1);
  const std::vector<Index> thick = thickness(whole.count, step, most);
  std::vector<Piece> pieces{{}};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Index first = whole.start[axis], last = first + whole.count[axis];
    std::vector<Piece> extended;
    for (const Piece& piece : pieces)
      for (Index at = first; at < last;) {
        const bool is_whole = thick[axis] == whole.count[axis];
        const Index next =
            is_whole ? last : std::min(last, round_down(at, step[axis]) + thick[axis]);
        extended.push_back(piece);
        extended.back().start.push_back(at);
        extended.back().count.push_back(next - at);
        at = next;
      }
    pieces = std::move(extended);
  }
  return pieces;
}

Runs::Runs(const Piece& whole, const Piece& piece) {
  Index pitch = 1;  // distance in points between neighbouring indices along the axis
  std::size_t axis = piece.count.size();
  // a run covers the innermost axes along which the piece is as long as the hyperslab, and the next
  // axis
  for (bool is_whole = true; axis > 0 && is_whole;) {
    --axis;
    length_ *= piece.count[axis];
    within_ += (piece.start[axis] - whole.start[axis]) * pitch;
    is_whole = piece.count[axis] == whole.count[axis];
    pitch *= whole.count[axis];
  }
  while (axis-- > 0) {
    start_.push_back(piece.start[axis] - whole.start[axis]);
    count_.push_back(piece.count[axis]);
    pitch_.push_back(pitch);
    pitch *= whole.count[axis];
  }
}

Index Runs::offset(Index run) const {
  Index at = within_;
  for (std::size_t i = 0; i < count_.size(); ++i) {  // innermost axis first
    at += (start_[i] + run % count_[i]) * pitch_[i];
    run /= count_[i];
  }
  return at;
}

Scattered::Scattered(const std::vector<Index>& count, const std::vector<Index>& pitch) {
  for (std::size_t axis = 0; axis < pitch.size(); ++axis) {
    const bool is_only = axis + 1 == pitch.size() && count_.empty();
    if (count[axis] == 1 && !is_only) continue;
    const bool continues = !count_.empty() && pitch_.back() == pitch[axis] * count[axis];
    if (!continues) {
      count_.push_back(count[axis]);
      pitch_.push_back(pitch[axis]);
      continue;
    }
    count_.back() *= count[axis];
    pitch_.back() = pitch[axis];
  }
}

Index Scattered::start(Index point, std::array<Index, most_axes>& at) const {
  Index offset = 0;
  for (std::size_t axis = count_.size(); axis-- > 0;) {
    at[axis] = point % count_[axis];
    point /= count_[axis];
    offset += at[axis] * pitch_[axis];
  }
  return offset;
}

}  // namespace stencil::storage

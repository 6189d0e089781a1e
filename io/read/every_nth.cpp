#include "io/read/every_nth.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "io/hdf5/element_type.hpp"

namespace stencil::storage {
namespace {

// an additional read call is worthwhile if it saves this number of bytes
constexpr Index saved_bytes = Index{64} << 10;

/// Returns the smallest box around points that are `step` apart.
Piece box_around(const Piece& points, const std::vector<Index>& step) {
  Piece box = points;
  for (std::size_t axis = 0; axis < step.size(); ++axis)
    box.count[axis] = (points.count[axis] - 1) * step[axis] + 1;
  return box;
}

/// Extracts the points that are `step` apart from the box around them.
class Picker {
 public:
  Picker(const Piece& points, const std::vector<Index>& step, Index element_bytes,
         const PointReader::Take& take)
      : points_(points),
        step_(step),
        box_(box_around(points, step)),
        element_(element_bytes),
        take_(take) {
    for (std::size_t axis = 0; axis < step.size(); ++axis)
      if (step[axis] > 1 && points.count[axis] > 1) last_ = axis;
    for (std::size_t axis = last_ + 1; axis < step.size(); ++axis) unit_ *= points.count[axis];
    row_ = box_.count[last_] * unit_;
  }

  const Piece& box() const { return box_; }

  /// Extracts the selected points among n points of the box, from its k-th point on.
  void pick(const std::byte* from, Index k, Index n) const {
    for (Index at = k; at < k + n;) {
      const Index row = at / row_, end = std::min(k + n, (row + 1) * row_);
      if (const Index selected = selected_row(row); selected >= 0)
        pick_row(from + (at - k) * element_, at - row * row_, end - at,
                 selected * points_.count[last_] * unit_);
      at = end;
    }
  }

 private:
  /// Index of a row of the box among the rows with selected points; -1 for other rows.
  Index selected_row(Index row) const {
    Index selected = 0, pitch = 1;
    for (std::size_t axis = last_; axis-- > 0;) {
      const Index at = row % box_.count[axis];
      row /= box_.count[axis];
      if (at % step_[axis] != 0) return -1;
      selected += at / step_[axis] * pitch;
      pitch *= points_.count[axis];
    }
    return selected;
  }

  /// Extracts the selected points among n points of one row.
  /// @param inside  index of `from` in its row
  /// @param number  index of the row's first selected point among all selected points
  void pick_row(const std::byte* from, Index inside, Index n, Index number) const {
    if (unit_ == 1) return pick_single(from, inside, n, number);
    for (Index at = inside; at < inside + n;) {
      const Index unit = at / unit_, end = std::min(inside + n, (unit + 1) * unit_);
      if (unit % step_[last_] == 0)
        take_(from + (at - inside) * element_,
              number + unit / step_[last_] * unit_ + at - unit * unit_, end - at);
      at = end;
    }
  }

  void pick_single(const std::byte* from, Index inside, Index n, Index number) const {
    constexpr Index at_once = 4096;
    std::array<std::byte, at_once * 8> taken;
    const Index step = step_[last_];
    const Index end = (inside + n + step - 1) / step;
    for (Index j = (inside + step - 1) / step; j < end; j += at_once) {
      const Index count = std::min(at_once, end - j);
      const std::byte* source = from + (j * step - inside) * element_;
      const auto gather = [&](auto size) {
        for (Index i = 0; i < count; ++i)
          std::memcpy(taken.data() + i * Index(size()), source + i * step * Index(size()), size());
      };
      if (element_ == 1) gather(std::integral_constant<std::size_t, 1>());
      if (element_ == 2) gather(std::integral_constant<std::size_t, 2>());
      if (element_ == 4) gather(std::integral_constant<std::size_t, 4>());
      if (element_ == 8) gather(std::integral_constant<std::size_t, 8>());
      take_(taken.data(), number + j, count);
    }
  }

  const Piece& points_;
  const std::vector<Index>& step_;
  Piece box_;
  Index element_;
  const PointReader::Take& take_;
  std::size_t last_ = 0;  ///< innermost axis whose step is not 1
  Index unit_ = 1;        ///< number of contiguous points along the axes after that axis
  Index row_ = 1;         ///< number of points of the box along that axis and the axes after it
};

/// Returns whether it is faster to read each selected index of an axis by a separate call than to
/// read all indices from the first to the last.
bool pays_alone(const DatasetFacts& facts, const Piece& points, const std::vector<Index>& step,
                std::size_t axis) {
  if (step[axis] == 1 || points.count[axis] == 1) return false;
  if (!facts.chunk.empty()) return step[axis] > facts.chunk[axis];
  Index inner = static_cast<Index>(size_of(facts.type));
  for (std::size_t i = axis + 1; i < step.size(); ++i) inner *= (points.count[i] - 1) * step[i] + 1;
  return inner >= saved_bytes / (step[axis] - 1);
}

}  // namespace

void read_every_nth(const PointReader& dataset, const DatasetFacts& facts, const Piece& points,
                    const std::vector<Index>& step, const PointReader::Take& take) {
  for (std::size_t axis = 0; axis < step.size(); ++axis) {
    if (!pays_alone(facts, points, step, axis)) continue;
    const Piece whole{std::vector<Index>(step.size(), 0), points.count};
    for (Index i = 0; i < points.count[axis]; ++i) {
      Piece one = points, place = whole;
      one.start[axis] += i * step[axis];
      place.start[axis] = i;
      one.count[axis] = place.count[axis] = 1;
      const Runs runs(whole, place);
      const auto element = static_cast<Index>(size_of(facts.type));
      read_every_nth(dataset, facts, one, step, [&](const std::byte* from, Index k, Index n) {
        for_runs(runs, k, k + n, [&](Index first, Index at, Index length) {
          take(from + (first - k) * element, at, length);
        });
      });
    }
    return;
  }
  const Picker picker(points, step, static_cast<Index>(size_of(facts.type)), take);
  dataset.read(picker.box(),
               [&](const std::byte* from, Index k, Index n) { picker.pick(from, k, n); });
}

}  // namespace stencil::storage

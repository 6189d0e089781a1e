#include "framework/grid/normal_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// An interval of a folded axis that is one rectangle in the axes that were folded.
struct Piece {
  std::vector<Index> start, count;
  Interval folded;
};

/// Splits the interval `range` of the row-major index over `dims` into rectangles: a partial row at
/// the beginning, whole outer rows, and a partial row at the end. The partial rows are split in the
/// same way over the inner axes.
std::vector<Piece> pieces(const std::vector<Index>& dims, std::size_t axis, Interval range) {
  if (axis == dims.size()) return {{.start = {}, .count = {}, .folded = range}};
  Index inner = 1;
  for (std::size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  std::vector<Piece> result;
  const auto add_ragged = [&](Index row, Interval within) {
    for (Piece& piece : pieces(dims, axis + 1, within)) {
      piece.start.insert(piece.start.begin(), row);
      piece.count.insert(piece.count.begin(), 1);
      piece.folded = {piece.folded.first + row * inner, piece.folded.last + row * inner};
      result.push_back(std::move(piece));
    }
  };
  Index first_row = range.first / inner;
  const Index last_row = range.last / inner;  // first row that extends beyond the range
  if (range.first % inner != 0) {
    const Index end = std::min(range.last, (first_row + 1) * inner);
    add_ragged(first_row, {range.first - first_row * inner, end - first_row * inner});
    ++first_row;
  }
  if (first_row < last_row) {
    Piece whole{.start = {first_row},
                .count = {last_row - first_row},
                .folded = {first_row * inner, last_row * inner}};
    for (std::size_t i = axis + 1; i < dims.size(); ++i) {
      whole.start.push_back(0);
      whole.count.push_back(dims[i]);
    }
    result.push_back(std::move(whole));
  }
  if (first_row <= last_row && range.last % inner != 0)
    add_ragged(last_row, {0, range.last - last_row * inner});
  return result;
}

}  // namespace

namespace {

/// Neighbouring dataset axes that become one normal axis.
struct Run {
  Interval members;
  int active = -1;
  Index points = 1;
};

std::vector<Run> runs_of(const std::vector<Index>& dims, const std::vector<int>& active) {
  std::vector<Run> runs;
  for (int axis = 0; axis < static_cast<int>(dims.size()); ++axis) {
    if (dims[axis] < 1)
      throw ShapeError(fmt::format("shape {} has an axis without points", fmt::join(dims, "x")));
    const bool is_active = std::find(active.begin(), active.end(), axis) != active.end();
    const bool joins =
        !runs.empty() && (is_active ? runs.back().points == 1 && runs.back().active < 0
                                    : dims[axis] == 1 || runs.back().active < 0);
    if (!joins) runs.push_back({.members = {axis, axis}});
    Run& run = runs.back();
    ++run.members.last;
    run.points = checked_multiply(run.points, dims[axis]);
    if (is_active) run.active = axis;
  }
  return runs;
}

/// Number of points along some axes.
Index points_along(const std::vector<Index>& dims, const std::vector<int>& members) {
  Index product = 1;
  for (const int axis : members)
    product = checked_multiply(product, dims[static_cast<std::size_t>(axis)]);
  return product;
}

}  // namespace

NormalForm::NormalForm(std::vector<Index> dims, const std::vector<int>& active,
                       const std::vector<int>& plane, bool has_parts)
    : dims_(std::move(dims)) {
  if (!fold(active, plane, has_parts)) reorder(active, plane);
  for (int axis = 0; axis < axes; ++axis) shape_[axis] = points_along(dims_, groups_[axis]);
  checked_multiply(points(shape_), volumes());  // throws if the number of points overflows 64 bits
}

/// Folds neighbouring axes. @returns false if more than three axes would remain, if y and x would
/// not be the two axes of `plane`, or if each row would only consist of the two parts of a complex
/// number
bool NormalForm::fold(const std::vector<int>& active, const std::vector<int>& plane,
                      bool has_parts) {
  const std::vector<Run> runs = runs_of(dims_, active);
  if (runs.size() > axes) return false;
  if (has_parts && runs.size() > 1 && runs.back().points == 2) return false;
  const std::size_t lead = axes - runs.size();
  std::array<std::vector<int>, axes> groups;
  std::array<int, axes> active_axis{-1, -1, -1};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    active_axis[lead + i] = runs[i].active;
    for (int axis = static_cast<int>(runs[i].members.first); axis < runs[i].members.last; ++axis)
      groups[lead + i].push_back(axis);
  }
  if (plane.size() == 1) return false;
  const bool has_plane =
      plane.empty() || (active_axis[y_axis] == plane[0] && active_axis[x_axis] == plane[1]);
  if (!has_plane) return false;
  groups_ = std::move(groups);
  active_ = active_axis;
  return true;
}

/// Makes two active axes the axes y and x. A third active axis becomes the batch axis, and the
/// indices along all other axes number the volumes. If there is no third active axis, all other
/// axes become the batch axis.
void NormalForm::reorder(const std::vector<int>& active, const std::vector<int>& plane) {
  std::vector<int> all = active, both = plane;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > axes)
    throw ShapeError(
        fmt::format("masks along the axes {}: masks of one run have three different "
                    "axes at most, apply the stages in two runs",
                    fmt::join(all, ", ")));
  if (both.empty()) both = {all.size() > 1 ? all.end() - 2 : all.begin(), all.end()};
  const auto is_in = [](const std::vector<int>& list, int axis) {
    return std::find(list.begin(), list.end(), axis) != list.end();
  };
  for (int axis = 0; axis < static_cast<int>(dims_.size()); ++axis) {
    if (is_in(both, axis)) continue;
    (all.size() < axes || is_in(all, axis) ? groups_[batch_axis] : outer_).push_back(axis);
  }
  if (all.size() == axes) active_[batch_axis] = groups_[batch_axis].front();
  groups_[x_axis] = {both.back()};
  active_[x_axis] = both.back();
  if (both.size() < 2) return;
  groups_[y_axis] = {both.front()};
  active_[y_axis] = both.front();
}

Axis NormalForm::normal_axis(int dataset_axis) const {
  for (const Axis axis : {batch_axis, y_axis, x_axis})
    if (std::find(groups_[axis].begin(), groups_[axis].end(), dataset_axis) != groups_[axis].end())
      return axis;
  throw ShapeError(fmt::format("the dataset has no axis {}", dataset_axis));
}

bool NormalForm::keeps_order() const {
  std::vector<int> order = outer_;
  for (const std::vector<int>& group : groups_)
    order.insert(order.end(), group.begin(), group.end());
  return std::is_sorted(order.begin(), order.end());
}

bool NormalForm::is_outermost(int normal_axis) const {
  const std::vector<int>& members = groups_[normal_axis];
  if (members.empty()) return false;
  for (int axis = 0; axis < members.back(); ++axis)
    if (dims_[static_cast<std::size_t>(axis)] > 1 &&
        std::find(members.begin(), members.end(), axis) == members.end())
      return false;
  return true;
}

std::vector<Index> NormalForm::pitches(Index batch_pitch, Index row_pitch) const {
  if (keeps_order()) return {};
  std::vector<Index> result(dims_.size());
  for (int axis = 0; axis < axes; ++axis) {
    Index pitch = axis == batch_axis ? batch_pitch : axis == y_axis ? row_pitch : 1;
    for (auto member = groups_[axis].rbegin(); member != groups_[axis].rend(); ++member) {
      result[static_cast<std::size_t>(*member)] = pitch;
      pitch *= dims_[static_cast<std::size_t>(*member)];
    }
  }
  return result;
}

Index NormalForm::volumes() const {
  return points_along(dims_, outer_);
}

NormalForm NormalForm::volume(Index number) const {
  NormalForm result = *this;
  result.volume_ = number;
  return result;
}

NormalForm NormalForm::reshaped(const Point& shape) const {
  NormalForm result = *this;
  result.shape_ = shape;
  for (int axis = 0; axis < axes; ++axis)
    if (active_[axis] >= 0) result.dims_[static_cast<std::size_t>(active_[axis])] = shape[axis];
  return result;
}

std::vector<Slab> NormalForm::slabs(const Box& box) const {
  std::vector<Slab> result;
  if (box.empty()) return result;
  result.push_back({std::vector<Index>(dims_.size()), std::vector<Index>(dims_.size(), 1), {}});
  Index rest = volume_;
  for (auto axis = outer_.rbegin(); axis != outer_.rend(); ++axis) {
    const auto at = static_cast<std::size_t>(*axis);
    result.front().start[at] = rest % dims_[at];
    rest /= dims_[at];
  }
  for (int axis = 0; axis < axes; ++axis) {
    std::vector<Index> folded;
    for (const int member : groups_[axis])
      folded.push_back(dims_[static_cast<std::size_t>(member)]);
    std::vector<Slab> extended;
    for (const Slab& slab : result)
      for (const Piece& piece : pieces(folded, 0, box.along(axis))) {
        Slab next = slab;
        for (std::size_t i = 0; i < groups_[axis].size(); ++i) {
          const auto member = static_cast<std::size_t>(groups_[axis][i]);
          next.start[member] = piece.start[i];
          next.count[member] = piece.count[i];
        }
        next.box.set(axis, piece.folded);
        extended.push_back(std::move(next));
      }
    result = std::move(extended);
  }
  return result;
}

}  // namespace stencil

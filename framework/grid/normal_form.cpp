#include "framework/grid/normal_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// A run of a folded axis as one rectangle of the axes it was folded from.
struct Piece {
  std::vector<Index> start, count;
  Interval folded;
};

/// Splits `[range)` of the row-major index over `dims` into rectangles: a partial row at the
/// beginning, whole outer rows, and a partial row at the end. The partial rows are split in the
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
  const Index last_row = range.last / inner;  // first row that is not whole
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

}  // namespace

NormalForm::NormalForm(std::vector<Index> dims, const std::vector<int>& active)
    : dims_(std::move(dims)) {
  const std::vector<Run> runs = runs_of(dims_, active);
  if (runs.size() > axes)
    throw ShapeError(
        fmt::format("masks along axes {} of a dataset of shape {} leave more than three separate "
                    "axes: apply them "
                    "in two runs, or move the axes next to each other",
                    fmt::join(active, ", "), fmt::join(dims_, "x")));
  const std::size_t lead = axes - runs.size();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    groups_[lead + i] = runs[i].members;
    active_[lead + i] = runs[i].active;
    shape_[lead + i] = runs[i].points;
  }
  points(shape_);  // refuses a product that does not fit into 64 bits
}

Axis NormalForm::normal_axis(int dataset_axis) const {
  for (const Axis axis : {batch_axis, y_axis, x_axis})
    if (groups_[axis].contains(dataset_axis)) return axis;
  throw ShapeError(fmt::format("the dataset has no axis {}", dataset_axis));
}

NormalForm NormalForm::reshaped(const Point& shape) const {
  NormalForm result = *this;
  result.shape_ = shape;
  for (int axis = 0; axis < axes; ++axis)
    if (active_[axis] >= 0) result.dims_[active_[axis]] = shape[axis];
  return result;
}

std::vector<Slab> NormalForm::slabs(const Box& box) const {
  std::vector<Slab> result;
  if (box.empty()) return result;
  result.push_back({});
  for (int axis = 0; axis < axes; ++axis) {
    const std::vector<Index> folded(dims_.begin() + groups_[axis].first,
                                    dims_.begin() + groups_[axis].last);
    std::vector<Slab> extended;
    for (const Slab& slab : result)
      for (const Piece& piece : pieces(folded, 0, box.along(axis))) {
        Slab next = slab;
        next.start.insert(next.start.end(), piece.start.begin(), piece.start.end());
        next.count.insert(next.count.end(), piece.count.begin(), piece.count.end());
        next.box.set(axis, piece.folded);
        extended.push_back(std::move(next));
      }
    result = std::move(extended);
  }
  return result;
}

}  // namespace stencil

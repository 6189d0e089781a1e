#include "drivers/plan/predict/transfer_boxes.hpp"

#include <algorithm>

#include "io/hdf5/element_type.hpp"

namespace stencil {
namespace {

/// Returns the chunk extent along a normal axis, in indices of this axis. The extent is that of the
/// outermost dataset axis with more than one point that was folded into the normal axis.
Index indices_per_chunk(const NormalForm& form, const std::vector<Index>& chunk, int axis) {
  const std::vector<int>& folded = form.dataset_axes(axis);
  const auto dim = [&](int at) { return form.dims()[static_cast<std::size_t>(at)]; };
  auto outer = folded.begin();
  while (outer != folded.end() && dim(*outer) == 1) ++outer;
  if (chunk.empty() || outer == folded.end()) return 1;
  Index indices = chunk[static_cast<std::size_t>(*outer)];
  for (auto inner = outer + 1; inner != folded.end(); ++inner)
    indices = checked_multiply(indices, dim(*inner));
  return indices;
}

void cut(const std::array<Index, axes>& unit, const Box& box, int axis, Index most,
         std::vector<Box>& boxes) {
  if (box.points() <= most || axis == axes) {
    boxes.push_back(box);
    return;
  }
  const Interval whole = box.along(axis);
  // the box has more than `most` points here, so it is not empty; `each`: points per index
  const Index each = box.points() / whole.extent();  // NOLINT(clang-analyzer-core.DivideZero)
  const Index thick = std::max<Index>(1, most / each / unit[axis]) * unit[axis];
  for (Index at = whole.first; at < whole.last;) {
    const Index next = std::min(whole.last, at / unit[axis] * unit[axis] + thick);
    Box part = box;
    part.set(axis, {at, next});
    cut(unit, part, axis + 1, most, boxes);
    at = next;
  }
}

}  // namespace

std::vector<Box> transfer_boxes(const NormalForm& form, const std::vector<Index>& chunk,
                                const Box& box, Index most) {
  std::vector<Box> boxes;
  if (box.empty()) return boxes;
  std::array<Index, axes> unit;
  for (int axis = 0; axis < axes; ++axis) unit[axis] = indices_per_chunk(form, chunk, axis);
  cut(unit, box, 0, most, boxes);
  return boxes;
}

Index largest_points(const std::vector<Box>& boxes) {
  Index most = 0;
  for (const Box& box : boxes) most = std::max(most, box.points());
  return most;
}

std::vector<Box> input_boxes(const Problem& problem, int rank) {
  const auto element =
      std::max(static_cast<Index>(size_of(problem.input.type)), problem.compute_bytes());
  return transfer_boxes(problem.input_form, problem.input.number_chunk(),
                        problem.chain.stages.front().input.owned(rank),
                        problem.piece_bytes / element);
}

std::vector<Box> output_boxes(const Problem& problem, int rank) {
  const auto element = problem.compute_bytes();
  return transfer_boxes(problem.output_form, problem.output.chunk,
                        problem.chain.stages.back().output.owned(rank),
                        problem.piece_bytes / element);
}

}  // namespace stencil

#include "framework/grid/decomposition.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "framework/grid/error.hpp"

namespace stencil {

Decomposition::Decomposition(const Point& shape) : Decomposition(shape, {1, 1, 1}) {}

Decomposition::Decomposition(const Point& shape, const Point& grid, Index batch_unit)
    : shape_(shape), grid_(grid) {
  for (int axis = 0; axis < axes; ++axis) {
    const Index blocks = grid[axis];
    if (blocks < 1 || shape[axis] < 0)
      throw ShapeError(fmt::format("a world of {} points cannot be cut into {} blocks",
                                   to_string(shape), to_string(grid)));
    const Index unit = axis == batch_axis ? batch_unit : 1, units = shape[axis] / unit;
    if (units * unit != shape[axis])
      throw ShapeError(
          fmt::format("{} along the batch axis is not a multiple of {}", shape[axis], unit));
    const Index base = units / blocks, larger = units % blocks;
    for (Index k = 0; k <= blocks; ++k)
      cuts_[axis].push_back(unit * (k * base + std::min(k, larger)));
  }
}

int Decomposition::blocks() const {
  return static_cast<int>(points(grid_));
}

Point Decomposition::coordinates(int rank) const {
  return {rank / (grid_[1] * grid_[2]), rank / grid_[2] % grid_[1], rank % grid_[2]};
}

int Decomposition::rank_at(const Point& coordinates) const {
  return static_cast<int>((coordinates[0] * grid_[1] + coordinates[1]) * grid_[2] + coordinates[2]);
}

Box Decomposition::owned(int rank) const {
  if (rank >= blocks()) return {};
  const Point block = coordinates(rank);
  Box box;
  for (int axis = 0; axis < axes; ++axis) box.set(axis, part(axis, block[axis]));
  return box;
}

Index Decomposition::part_of(int axis, Index index) const {
  const auto& cuts = cuts_[axis];
  return std::upper_bound(cuts.begin(), cuts.end(), index) - cuts.begin() - 1;
}

namespace {

/// Returns the first output that belongs to the block that begins at `cut`. Outputs beyond an edge
/// of the world belong to the block that owns the outermost point, not to an empty block next to
/// it.
Index first_output_from(const AxisSampling& s, Index cut) {
  if (cut <= 0) return 0;
  if (cut >= s.extent) return s.count;
  const Index distance = cut - s.first, step = s.stride * s.block_in;
  return distance <= 0 ? 0 : std::min((distance + step - 1) / step * s.block_out, s.count);
}

}  // namespace

Decomposition Decomposition::sampled(const std::array<AxisSampling, axes>& sampling) const {
  Decomposition result;
  result.grid_ = grid_;
  result.cuts_ = {};
  for (int axis = 0; axis < axes; ++axis) {
    const AxisSampling& s = sampling[axis];
    result.shape_[axis] = s.count;
    result.cuts_[axis].push_back(0);
    for (Index k = 1; k < grid_[axis]; ++k) {
      result.cuts_[axis].push_back(first_output_from(s, cuts_[axis][k]));
    }
    result.cuts_[axis].push_back(s.count);
  }
  return result;
}

DecompositionCost cost_of(const Decomposition& decomposition, const Halo& halo) {
  // all blocks have nearly the same size, and the first is the largest. Its ghosts are counted as
  // those of an inner block, which has neighbours on all sides
  const Box largest = decomposition.owned(0);
  Halo inner = halo;
  for (int axis = 0; axis < axes; ++axis)
    if (decomposition.grid()[axis] == 1) inner.low[axis] = inner.high[axis] = 0;
  DecompositionCost cost;
  cost.owned = largest.points();
  cost.ghosts = grown(largest, inner).points() - cost.owned;
  const Point extent = largest.extent();
  const bool x_cut = decomposition.grid()[x_axis] > 1, y_cut = decomposition.grid()[y_axis] > 1;
  cost.fragments = x_cut ? extent[0] * extent[1] : y_cut ? extent[0] : 1;
  return cost;
}

Decomposition choose_decomposition(const Point& shape, const Halo& halo, int ranks,
                                   Index batch_unit) {
  std::optional<Decomposition> best;
  double least = 0;
  for (Index b = 1; b <= std::min<Index>(ranks, shape[0] / batch_unit); ++b)
    for (Index y = 1; y <= std::min<Index>(ranks / b, shape[1]); ++y) {
      // For given numbers of blocks along b and y, more blocks along x never increase the work per
      // block. So only two numbers of blocks along x are tried: the largest number, and 1, which
      // does not cut rows.
      for (Index x : {Index{1}, std::min<Index>(ranks / (b * y), shape[2])}) {
        Decomposition candidate(shape, {b, y, x}, batch_unit);
        const double cost = cost_of(candidate, halo).total();
        // if costs are equal, the later candidate is kept, because it has more cuts along the outer
        // axes
        if (!best || cost <= least) {
          best = std::move(candidate);
          least = cost;
        }
      }
    }
  return *best;
}

}  // namespace stencil

#pragma once

#include <vector>

#include "framework/grid/boundary.hpp"
#include "framework/grid/decomposition.hpp"

namespace stencil {

/// A run of ghost indices along one axis and where their values come from: ghost `ghost + i` is the
/// value of point `source + i * step`. All indices are global.
struct GhostRun {
  Index ghost = 0;
  Index source = 0;
  Index count = 0;
  int step = 1;  ///< 1, -1 (reflected) or 0 (every ghost is the same point)

  friend bool operator==(const GhostRun&, const GhostRun&) = default;
};

/// What one block gets from another along one axis.
struct GhostSource {
  Index block = 0;  ///< which block along the axis owns the points; may be the block itself
  std::vector<GhostRun> runs;
};

/// The ghosts of one block along one axis.
struct GhostPlan {
  std::vector<GhostSource> sources;  ///< by block number, ascending
  std::vector<Interval> constant;    ///< ghosts that hold the boundary value
};

/// Where every ghost of the k-th block along `axis` comes from: neighbours (as many blocks away as
/// the halo reaches), the far side (wrap), the block itself or others mirrored (reflect, mirror),
/// the edge (nearest), or the boundary value. Pure arithmetic: every rank computes the plan of any
/// block, so that senders know what receivers expect without a message.
///
/// Worked example: a world of 6 rows in two blocks of 3, a halo of 2 rows, rule reflect. Block 0
/// gets ghosts -2, -1 from itself (rows 1, 0) and ghosts 3, 4 from block 1.
GhostPlan ghost_plan(const Decomposition& decomposition, const Halo& halo, BoundaryRule rule,
                     int axis, Index k);

}  // namespace stencil

#pragma once

#include <vector>

#include "framework/grid/axis_sources.hpp"
#include "framework/grid/decomposition.hpp"

namespace stencil {

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

/// The source of every ghost of the k-th block along `axis`: neighbours (as many blocks away as the
/// halo extends), the opposite edge (wrap), mirrored points of this block or of others (reflect,
/// mirror), the edge (nearest), or the boundary value. Pure arithmetic: every rank can compute the
/// plan of any block, so a sender knows without a message what a receiver expects.
///
/// Worked example: a world of 6 rows in two blocks of 3, a halo of 2 rows, rule reflect. Block 0
/// gets ghosts -2, -1 from itself (rows 1, 0) and ghosts 3, 4 from block 1.
GhostPlan ghost_plan(const Decomposition& decomposition, const Halo& halo, BoundaryRule rule,
                     int axis, Index k);

}  // namespace stencil

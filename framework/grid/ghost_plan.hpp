#pragma once

#include <vector>

#include "framework/grid/axis_sources.hpp"
#include "framework/grid/decomposition.hpp"

namespace stencil {

/// The ghosts of one block along one axis whose values all come from the same block.
struct GhostSource {
  Index block = 0;  ///< index along the axis of the block that owns the points; may be the
                    ///< receiving block
  std::vector<GhostRun> runs;
};

/// The ghosts of one block along one axis.
struct GhostPlan {
  std::vector<GhostSource> sources;  ///< in ascending order of the block index
  std::vector<Interval> constant;    ///< ghosts that hold the boundary value
};

/// Computes the source of every ghost of the k-th block along `axis`. Ghosts inside the world are
/// copies of points of neighbouring blocks, and also of more distant blocks if the halo is wider
/// than a neighbour. Ghosts beyond an edge of the world are copies of points at the opposite edge
/// (wrap), of mirrored points of this or other blocks (reflect, mirror) or of the edge point
/// (nearest), or hold the boundary value (constant). The computation needs no communication: every
/// rank can compute the plan of any block, so a sender needs no message to find out which points a
/// receiver expects.
///
/// Worked example: a world of 6 rows in two blocks of 3, a halo of 2 rows, rule reflect. Ghosts -2
/// and -1 of block 0 come from block 0 (rows 1 and 0), ghosts 3 and 4 from block 1.
GhostPlan ghost_plan(const Decomposition& decomposition, const Halo& halo, BoundaryRule rule,
                     int axis, Index k);

}  // namespace stencil

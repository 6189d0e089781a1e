#pragma once

#include <vector>

#include "framework/grid/decomposition.hpp"

namespace stencil {

/// What one rank holds of the world: the points it owns and a halo of ghosts around them.
///
/// In the example of Box, rank 0 of two slabs over `[1, 6, 8]` with a halo of one row and two
/// columns owns `[0,0,0)..[1,3,8)`, holds `[0,-1,-2)..[1,4,10)`, and global point (0, 0, 0) is its
/// local point (0, 1, 2).
struct Subdomain {
  Box owned;
  Halo halo;

  Box ghosted() const { return grown(owned, halo); }
  /// Extent of the memory that holds the ghosted box; all 0 for a rank that owns nothing.
  Point local_extent() const { return ghosted().extent(); }
  /// Local index of a global point; ghosts left of the owned points have the lowest indices.
  Point local(const Point& global) const;
  Point global(const Point& local) const;

  friend bool operator==(const Subdomain&, const Subdomain&) = default;
};

/// Points that one stage computes, divided by the ghosts that they need.
struct WorkSplit {
  Box inner;             ///< outputs that read owned points alone: ready before the halos arrive
  std::vector<Box> rim;  ///< the others, disjoint, in a fixed order
};

/// Divides the outputs of a rank into those that need no ghost along the axes in `pending` and all
/// others.
///
/// @param outputs  owned outputs of the stage, in global output indices
/// @param owned    owned inputs of the same rank, in global input indices
/// @param pending  axes whose ghosts are not valid yet; ghosts along the other axes are valid
WorkSplit split_work(const Box& outputs, const Box& owned,
                     const std::array<AxisSampling, axes>& sampling,
                     const std::array<bool, axes>& pending);

}  // namespace stencil

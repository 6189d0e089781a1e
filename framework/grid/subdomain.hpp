#pragma once

#include <vector>

#include "framework/grid/decomposition.hpp"

namespace stencil {

/// The part of the world that one rank stores: the points it owns and a halo of ghosts around them.
///
/// In the example of Box, rank 0 of two slabs over `[1, 6, 8]` with a halo of one row and two
/// columns owns `[0,0,0)..[1,3,8)`, holds `[0,-1,-2)..[1,4,10)`, and global point (0, 0, 0) is its
/// local point (0, 1, 2).
struct Subdomain {
  Box owned;
  Halo halo;

  Box ghosted() const { return grown(owned, halo); }
  /// Extent of the memory that holds the ghosted box; {0, 0, 0} for a rank that owns nothing.
  Point local_extent() const { return ghosted().extent(); }
  /// Local index of a global point; ghosts left of the owned points have the lowest indices.
  Point local(const Point& global) const;
  Point global(const Point& local) const;

  friend bool operator==(const Subdomain&, const Subdomain&) = default;
};

/// The outputs of one stage on one rank, divided by whether they need ghosts that are not valid
/// yet.
struct WorkSplit {
  Box inner;             ///< outputs that read no pending ghosts: computable before the halos
                         ///< arrive
  std::vector<Box> rim;  ///< the other outputs, as disjoint boxes in a fixed order
};

/// Divides the outputs of a rank into outputs that need no ghosts along the axes in `pending`, and
/// the rest.
///
/// @param outputs  owned outputs of the stage, in global output indices
/// @param owned    owned inputs of the same rank, in global input indices
/// @param pending  axes whose ghosts are not valid yet; ghosts along the other axes are valid
WorkSplit split_work(const Box& outputs, const Box& owned,
                     const std::array<AxisSampling, axes>& sampling,
                     const std::array<bool, axes>& pending);

}  // namespace stencil

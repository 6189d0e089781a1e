#pragma once

#include <array>
#include <vector>

#include "framework/grid/box.hpp"
#include "framework/grid/sampling.hpp"

namespace stencil {

/// A global array (the world) cut into blocks, one per rank. Pure arithmetic without communication;
/// every rank computes the same result.
///
/// Each axis is cut independently, so the blocks form a grid of shape `grid()`; ranks number the
/// blocks with x fastest. Block sizes may differ and may be 0 (a strided stage can leave a rank
/// without points). Ranks beyond the last block own nothing. Worked example: a world of `[1, 6, 8]`
/// on a grid of `[1, 2, 2]` has the cuts y = 0 3 6 and x = 0 4 8, and rank 2 owns
/// `[0,3,0)..[1,6,4)`.
class Decomposition {
 public:
  /// A world without points.
  Decomposition() : Decomposition(Point{}) {}
  /// A single block, owned by rank 0.
  explicit Decomposition(const Point& shape);

  /// Cuts the world into blocks of nearly equal size; the first blocks may have one point more
  /// along an axis.
  ///
  /// @param batch_unit  the batch axis is cut only at multiples of this number, so that all
  ///                    channels of an image stay in one block
  /// @throws ShapeError  an entry of grid is below 1, or the extent of the batch axis is not a
  ///                     multiple of batch_unit.
  Decomposition(const Point& shape, const Point& grid, Index batch_unit = 1);

  const Point& shape() const { return shape_; }
  const Point& grid() const { return grid_; }
  /// Number of blocks; ranks with this number or a higher one own nothing.
  int blocks() const;

  /// Position of the block of `rank` in the grid. @pre rank < blocks()
  Point coordinates(int rank) const;
  int rank_at(const Point& coordinates) const;

  /// Returns the points that `rank` owns; an empty box for ranks beyond the last block.
  Box owned(int rank) const;

  /// Interval that the k-th block along `axis` owns.
  Interval part(int axis, Index k) const { return {cuts_[axis][k], cuts_[axis][k + 1]}; }
  /// Index along `axis` of the block that owns `index`. @pre 0 <= index < shape()[axis]
  Index part_of(int axis, Index index) const;

  /// Decomposition of a stage's output. An output belongs to the block that owns the input under
  /// the centre of the mask; outputs beyond the edges (extent = full) belong to the outermost
  /// blocks. Each owned output is therefore computed from owned inputs and their neighbours,
  /// whatever the stride.
  Decomposition sampled(const std::array<AxisSampling, axes>& sampling) const;

  friend bool operator==(const Decomposition&, const Decomposition&) = default;

 private:
  Point shape_{};
  Point grid_{1, 1, 1};
  std::array<std::vector<Index>, axes> cuts_;
};

/// Quantities that determine the cost of a decomposition, in points.
struct DecompositionCost {
  Index owned = 0;      ///< number of points of the largest block: the work
  Index ghosts = 0;     ///< ghosts of the largest block: the messages
  Index fragments = 0;  ///< number of separate contiguous runs of the file that the largest block
                        ///< covers
  double total() const {
    return 16.0 * double(owned) + 4.0 * double(ghosts) + 16.0 * double(fragments);
  }
};

DecompositionCost cost_of(const Decomposition& decomposition, const Halo& halo);

/// Returns the decomposition of least cost among all grids with at most `ranks` blocks. No axis is
/// cut into more blocks than it has points, so a small world has fewer blocks than ranks, and the
/// other ranks have no work. Among grids of equal cost, the grid that cuts the outer axes is
/// chosen, because its blocks are contiguous in the file.
///
/// @pre ranks >= 1, and no extent is 0
Decomposition choose_decomposition(const Point& shape, const Halo& halo, int ranks,
                                   Index batch_unit = 1);

}  // namespace stencil

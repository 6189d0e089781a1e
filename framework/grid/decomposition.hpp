#pragma once

#include <array>
#include <vector>

#include "framework/grid/box.hpp"
#include "framework/grid/sampling.hpp"

namespace stencil {

/// A world of points cut into blocks, one per rank: pure arithmetic, the same on every rank.
///
/// Each axis is cut on its own, so the blocks form a grid of `grid()` blocks, numbered with x
/// fastest. Block sizes may differ and may be 0 (a strided stage can leave a rank without points);
/// ranks beyond the last block own nothing. Worked example: a world of `[1, 6, 8]` on a grid of
/// `[1, 2, 2]` has the cuts y = 0 3 6 and x = 0 4 8, and rank 2 owns `[0,3,0)..[1,6,4)`.
class Decomposition {
 public:
  /// A world without points.
  Decomposition() : Decomposition(Point{}) {}
  /// One block: everything on rank 0.
  explicit Decomposition(const Point& shape);

  /// Blocks of nearly equal size; the first ones may be one point larger.
  ///
  /// @param batch_unit  the batch axis is cut only at multiples of it, so that the channels of one
  ///                    image stay together
  /// @throws ShapeError  grid has an entry below 1, or the batch axis is not a multiple of its
  /// unit.
  Decomposition(const Point& shape, const Point& grid, Index batch_unit = 1);

  const Point& shape() const { return shape_; }
  const Point& grid() const { return grid_; }
  /// Number of blocks; ranks from this number on own nothing.
  int blocks() const;

  /// Position of the block of `rank` in the grid. @pre rank < blocks()
  Point coordinates(int rank) const;
  int rank_at(const Point& coordinates) const;

  /// The points that `rank` owns; an empty box for ranks beyond the last block.
  Box owned(int rank) const;

  /// Interval that the k-th block along `axis` owns.
  Interval part(int axis, Index k) const { return {cuts_[axis][k], cuts_[axis][k + 1]}; }
  /// Which block along `axis` owns `index`. @pre 0 <= index < shape()[axis]
  Index part_of(int axis, Index index) const;

  /// Decomposition of a stage's output. An output belongs to the block that owns the input under
  /// the mask's centre; outputs beyond the edges (extent = full) belong to the outermost blocks. So
  /// an owned output is computed from owned inputs and their neighbours, whatever the stride.
  Decomposition sampled(const std::array<AxisSampling, axes>& sampling) const;

  friend bool operator==(const Decomposition&, const Decomposition&) = default;

 private:
  Point shape_{};
  Point grid_{1, 1, 1};
  std::array<std::vector<Index>, axes> cuts_;
};

/// What makes one decomposition cheaper than another, in points.
struct DecompositionCost {
  Index owned = 0;      ///< of the largest block: the work
  Index ghosts = 0;     ///< of the largest block: the messages
  Index fragments = 0;  ///< separate runs of the file that the largest block touches
  double total() const {
    return 16.0 * double(owned) + 4.0 * double(ghosts) + 16.0 * double(fragments);
  }
};

DecompositionCost cost_of(const Decomposition& decomposition, const Halo& halo);

/// The grid of least cost for at most `ranks` blocks. No axis is cut into more blocks than it has
/// points, so a small world has fewer blocks than ranks, and the other ranks have no work. Of grids
/// with the same cost, the one that cuts the outer axes is chosen: its blocks are contiguous in the
/// file.
///
/// @pre ranks >= 1 and shape has no 0
Decomposition choose_decomposition(const Point& shape, const Halo& halo, int ranks,
                                   Index batch_unit = 1);

}  // namespace stencil

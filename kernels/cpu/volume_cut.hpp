#pragma once

#include <algorithm>

#include "framework/grid/box.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Shape, strides and terms of a mask of three axes.
struct VolumeShape {
  Point taps{1, 1, 1};    ///< number of taps along batch, y, x
  Point stride{1, 1, 1};  ///< along batch, y, x
  /// Number of separable terms, which are summed by passes; 0 for a direct sum of the taps.
  Index terms = 0;

  template <class T>
  explicit VolumeShape(const Stencil<T>& stencil)
      : taps{stencil.depth, stencil.height, stencil.width},
        stride{stencil.plane_stride, stencil.stride[0], stencil.stride[1]},
        terms(stencil.method == Method::separable ? stencil.terms : 0) {}

  /// Number of multiply-adds per output.
  Index adds() const {
    return terms > 0 ? terms * (taps[0] + taps[1] + taps[2]) : taps[0] * taps[1] * taps[2];
  }

  /// Number of inputs that `outputs` outputs read along each axis.
  Point inputs(const Point& outputs) const;
  /// Returns the inputs that a box of outputs reads.
  Box inputs_of(const Box& outputs) const;
};

/// Number of planes of outputs that are computed together if points may be missing. More planes
/// would need larger copies; with fewer planes, many inputs would be read again.
template <class T>
Index most_valid_planes(const Stencil<T>& stencil) {
  return std::max<Index>(4, stencil.depth);
}

/// Divides the outputs of one call into boxes; each thread computes one box at a time. The division
/// does not change the bits of the result.
class BoxCut {
 public:
  /// @param extent   outputs `[batch, y, x]`, none of them 0
  /// @param largest  extent of the largest box, at most `extent`
  BoxCut(const Point& extent, const Point& largest);

  Index count() const { return parts_[0] * parts_[1] * parts_[2]; }
  /// Returns box n, which is not empty.
  Box piece(Index n) const;
  /// Number of boxes along each axis.
  const Point& parts() const { return parts_; }
  /// Extent of the largest box.
  const Point& largest() const { return largest_; }

 private:
  Point extent_, largest_, parts_;
};

/// Boxes that are so small along y and x that the inputs of one plane of outputs (or, for separable
/// masks, the results of the passes over these inputs) stay in the cache for the next plane.
class VolumeCut : public BoxCut {
 public:
  /// @param extent       outputs `[batch, y, x]`, none of them 0
  /// @param most_planes  largest number of planes of outputs in a box
  VolumeCut(const VolumeShape& mask, const Point& extent, Index element, int threads,
            Index most_planes);
};

/// Returns the largest extent of a box along one axis for which every thread has some boxes.
///
/// @param others  number of boxes along the other axes
Index extent_for_threads(Index extent, Index others, int threads);

}  // namespace stencil::cpu

#pragma once

#include <algorithm>

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// The part of one tile that is in a view, along one axis.
struct FftTileSpan {
  Index begin;       ///< index of the tile's first output before striding
  Index inputs;      ///< number of inputs from `begin` on; later inputs are replaced by +0
  Interval outputs;  ///< strided outputs of the view in the tile, by index along the whole axis

  /// Returns the interval from the first to the last of `outputs` as indices before striding,
  /// relative to `begin`.
  Interval dense(Index stride) const {
    if (outputs.empty()) return {0, 0};
    return {outputs.first * stride - begin, (outputs.last - 1) * stride + 1 - begin};
  }
};

/// The tiles that contain the outputs of a view, along one axis.
class FftTileSpans {
 public:
  /// @param outputs       outputs of the view, by index along the whole axis
  /// @param axis_outputs  number of outputs of the whole axis; if 0, the axis ends with the view
  FftTileSpans(const FftTileAxis& axis, const Interval& outputs, Index stride, Index axis_outputs)
      : axis_(axis),
        outputs_(outputs),
        stride_(stride),
        tiles_(axis.tiles(outputs, stride)),
        axis_inputs_(((axis_outputs > 0 ? axis_outputs : outputs.last) - 1) * stride + axis.width) {
  }

  Index count() const { return tiles_.extent(); }
  /// Returns the part of tile n that is in the view.
  FftTileSpan span(Index n) const {
    const Index begin = (tiles_.first + n) * axis_.outputs();
    return {begin, std::min(axis_.inputs(), axis_inputs_ - begin),
            strided(begin, {0, axis_.outputs()})};
  }
  /// Returns the strided outputs of the view within an interval of a tile. `dense` is relative to
  /// the first output of the tile before striding and may extend beyond the last one.
  Interval within(const FftTileSpan& span, const Interval& dense) const {
    return strided(span.begin, intersect(dense, {0, axis_.outputs()}));
  }
  /// Index of the first input of a tile, relative to the first input of the view.
  Index input(const FftTileSpan& span) const { return span.begin - tiles_.first * axis_.outputs(); }
  /// Index of the input under the first tap for the view's first output, relative to the first
  /// input of the view.
  Index first_input() const { return outputs_.first * stride_ - tiles_.first * axis_.outputs(); }
  Index stride() const { return stride_; }
  const Interval& outputs() const { return outputs_; }

 private:
  Interval strided(Index begin, const Interval& dense) const {
    const auto first_from = [&](Index output) { return (begin + output + stride_ - 1) / stride_; };
    return intersect(outputs_, {first_from(dense.first), first_from(dense.last)});
  }

  FftTileAxis axis_;
  Interval outputs_;
  Index stride_;
  Interval tiles_;
  Index axis_inputs_;
};

}  // namespace stencil::cpu

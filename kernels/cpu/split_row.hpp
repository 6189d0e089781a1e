#pragma once

#include <algorithm>

#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// The places of the inputs of a row with a stride along x after they are split: every `step`-th
/// input is in the same part, so that the inputs of neighbouring outputs under one tap are
/// neighbours.
class SplitRow {
 public:
  /// @param width  taps of the mask along x
  /// @param n      most outputs of a row
  SplitRow(Index step, Index width, Index n, Index element_size)
      : step_(step), parts_(std::min(step, width)) {
    const Index line = 64 / element_size;
    // an odd number of cache lines, as in RowRing
    pitch_ = ((n + (width - 1) / step + line - 1) / line | 1) * line;
  }

  /// Elements of a row.
  Index size() const { return checked_multiply(parts_, pitch_); }
  Index pitch() const { return pitch_; }
  Index parts() const { return parts_; }
  /// Place of the input under tap i of the first output.
  Index offset(Index i) const { return i % step_ * pitch_ + i / step_; }

 private:
  Index step_, parts_, pitch_;
};

}  // namespace stencil::cpu

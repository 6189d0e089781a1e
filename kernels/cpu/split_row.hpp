#pragma once

#include <algorithm>

#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// Layout of a row of inputs that has been split for a stride along x. Every `step`-th input is in
/// the same part, so that the inputs of adjacent outputs under one tap are adjacent.
class SplitRow {
 public:
  /// @param width  number of taps of the mask along x
  /// @param n      largest number of outputs of a row
  SplitRow(Index step, Index width, Index n, Index element_size)
      : step_(step), parts_(std::min(step, width)) {
    const Index line = 64 / element_size;
    // an odd number of cache lines, as in RowRing
    pitch_ = ((n + (width - 1) / step + line - 1) / line | 1) * line;
  }

  /// Number of elements of a split row.
  Index size() const { return checked_multiply(parts_, pitch_); }
  Index pitch() const { return pitch_; }
  Index parts() const { return parts_; }
  /// Offset of the input under tap i of the first output.
  Index offset(Index i) const { return i % step_ * pitch_ + i / step_; }

 private:
  Index step_, parts_, pitch_;
};

}  // namespace stencil::cpu

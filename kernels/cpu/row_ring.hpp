#pragma once

#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// A ring of rows in a thread's scratch memory: row r is stored in slot `r % rows` until row
/// `r + rows` overwrites it.
template <class T>
class RowRing {
 public:
  RowRing(T* memory, Index rows, Index width)
      : memory_(memory), rows_(rows), pitch_(pitch(width)) {}

  T* row(Index r) const { return memory_ + r % rows_ * pitch_; }

  /// Number of elements from row to row.
  Index pitch() const { return pitch_; }

  /// Number of elements of memory of a ring.
  static Index size(Index rows, Index width) { return checked_multiply(rows, pitch(width)); }

 private:
  /// Number of elements from row to row: an odd number of cache lines, so that the rows of a column
  /// are not all in the same set of the first-level cache.
  static Index pitch(Index width) {
    constexpr Index line = 64 / Index(sizeof(T));
    return ((width + line - 1) / line | 1) * line;
  }

  T* memory_;
  Index rows_, pitch_;
};

}  // namespace stencil::cpu

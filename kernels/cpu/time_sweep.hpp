#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil::cpu {

/// Arguments and memory layout that all pieces of one sweep over several steps share.
template <class T>
struct TimeSweep {
  const Stencil<T>& stencil;
  const RowKernels<T>& kernels;
  const StepEdges& edges;
  Index steps;
  FieldView<const T> source;  ///< owned points, ghosts around them
  FieldView<T> target;
  bool stream;
  /// Whether the mask is 3 x 3 and no tap is skipped, or with `plus` only the four corners are.
  bool three_by_three = false, plus = false;
  /// Whether the taps of one row, of a mask of one row or of a row factor, are all multiplied.
  bool is_line = false;
  std::vector<Tap<T>> row;  ///< separable: the row factor without the zeros that are skipped

  bool is_separable() const { return stencil.method == Method::separable; }
  /// Rows computed at once.
  Index group() const;
  /// Whether a level keeps only the last rows of two groups, which its next group and the next
  /// level read again. All other rows lie in a buffer that every second level overwrites, so that
  /// most of the data that levels exchange never leaves the first-level cache.
  bool shares_rows() const;
  /// Rows that each level keeps, enough for a group of the next level to find all rows that it
  /// reads.
  Index rows() const;
  /// Levels that keep rows of their own.
  Index keepers() const;
  /// Elements in a row of memory before the first point of the last level.
  Index lead() const;
  /// Where the rows of a level lie, in cyclic order.
  /// @param pitch   elements from row to row
  /// @param memory  the memory of all levels
  std::vector<T*> rows_of(Index level, Index pitch, T* memory) const;
  /// Elements of the row beyond an edge where the rule is `constant`.
  Index constant_size(Index width) const;
  /// Elements of memory that a piece of `width` outputs needs at most: that constant row, a group
  /// of spare rows, and the rows of all levels.
  Index memory(Index width) const;
  /// Columns of the widest row, with ghosts.
  Index widest(Index width) const;
};

}  // namespace stencil::cpu

#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil::cpu {

/// What all pieces of one sweep over several steps have in common.
template <class T>
struct TimeSweep {
  const Stencil<T>& stencil;
  const RowKernels<T>& kernels;
  const StepEdges& edges;
  Index steps;
  FieldView<const T> source;  ///< owned points, ghosts around them
  FieldView<T> target;
  bool stream;
  /// Whether all taps of a 3 x 3 mask meet their input, or with `plus` all but the four corners.
  bool three_by_three = false, plus = false;
  std::vector<Tap<T>> row;  ///< separable: the row factor without the zeros that are skipped

  bool is_separable() const { return stencil.method == Method::separable; }
  /// Rows computed at once.
  Index group() const;
  /// Whether a level keeps only the last rows of two groups, which its next group and the next
  /// level read again, and the rows ahead of them lie in the first-level cache, in memory that
  /// every second level writes anew: most of what levels exchange never leaves it.
  bool shares_rows() const;
  /// Rows of its own that a level keeps, so that a group of the next one finds all it reads.
  Index rows() const;
  /// Levels that keep rows of their own.
  Index keepers() const;
  /// Elements of a row of memory ahead of the first point of the last level.
  Index lead() const;
  /// Where the rows of a level lie, which take turns.
  /// @param pitch   elements from row to row
  /// @param memory  of all levels
  std::vector<T*> rows_of(Index level, Index pitch, T* memory) const;
  /// Elements of the row beyond an edge where the rule is `constant`.
  Index constant_size(Index width) const;
  /// Elements of memory that a piece of `width` outputs needs, at most: that row, a group of spare
  /// rows, and those of the levels.
  Index memory(Index width) const;
  /// Columns of the widest row, with ghosts.
  Index widest(Index width) const;
};

}  // namespace stencil::cpu

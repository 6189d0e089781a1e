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
  FieldView<const T> source;  ///< owned points, with ghost points around them
  FieldView<T> target;
  bool stream;
  /// `three_by_three`: the mask is 3 x 3 and skips no taps or, with `plus`, only the four corners.
  bool three_by_three = false, plus = false;
  /// Whether no tap is skipped in a mask of one row or, for a separable mask, in its row factor.
  bool is_line = false;
  std::vector<Tap<T>> row;  ///< separable: the row factor without the zeros that are skipped

  bool is_separable() const { return stencil.method == Method::separable; }
  /// Number of rows computed together.
  Index group() const;
  /// Returns whether a level keeps only the last height - 1 rows of each of its last two groups of
  /// rows. The next level reads these rows again. All other rows are in a buffer that every second
  /// level overwrites, so that most of the data that levels exchange stays in the first-level
  /// cache.
  bool shares_rows() const;
  /// Number of rows that each level keeps: all rows that a group of the next level reads.
  Index rows() const;
  /// Number of levels that have separate rows.
  Index keepers() const;
  /// Number of elements of a row of memory before the first point of the last level.
  Index lead() const;
  /// Returns the addresses of the rows of a level, in cyclic order.
  /// @param pitch   elements from row to row
  /// @param memory  the memory of all levels
  std::vector<T*> rows_of(Index level, Index pitch, T* memory) const;
  /// Number of elements of the row beyond an edge, for the rule `constant`.
  Index constant_size(Index width) const;
  /// Largest number of elements of memory of a piece of `width` outputs: the row beyond an edge, a
  /// group of spare rows, and the rows of all levels.
  Index memory(Index width) const;
  /// Number of columns of the widest row, with ghost points.
  Index widest(Index width) const;
};

}  // namespace stencil::cpu

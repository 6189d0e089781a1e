#pragma once

#include <vector>

#include "kernels/advance.hpp"
#include "kernels/cpu/row_kernels.hpp"

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
  /// Rows that are kept of each level, so that a group of the next one finds all it reads.
  Index ring_rows() const;
  /// Levels that keep rows of their own.
  Index rings() const;
  /// Elements of memory that a piece of `width` outputs needs, at most.
  Index memory(Index width) const;
  /// Columns of the widest row, with ghosts.
  Index widest(Index width) const;
};

/// Passes one piece of the outputs through all steps.
///
/// Level 0 is the source, the last level the target; each level between keeps a ring of a few rows.
/// A group of rows of one level asks the level below for the rows it reads, and that one computes
/// what is missing, so no level runs ahead and every row is still in the cache when it is read.
/// Ghosts beyond the edge of the world follow in each level from that level's own rows.
///
/// @param memory  sweep.memory(widest piece) elements, aligned to 64 bytes
template <class T>
void walk_time_tile(const TimeSweep<T>& sweep, const Box& piece, T* memory);

}  // namespace stencil::cpu

#pragma once

#include <vector>

#include "framework/device/field.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil::storage {

/// A hyperslab of a dataset that is transferred in one call, per dataset axis.
struct Piece {
  std::vector<Index> start, count;

  Index points() const;
};

/// Bytes read at once: few enough to be held twice, enough to run at full speed.
inline constexpr Index piece_bytes = Index{64} << 20;

/// A chunk of up to this many bytes is read as a whole.
inline constexpr Index largest_piece_bytes = Index{256} << 20;

/// Bytes of the largest chunk that the file format allows.
inline constexpr Index largest_chunk = (Index{1} << 32) - 1;

/// Points of a chunk; 1 if the extents are empty. @throws ShapeError  more than fit into 64 bits
Index points_of(const std::vector<Index>& chunk);

/// Chunks transferred in one call, approximately: HDF5 needs some 3 KiB for each.
inline constexpr Index most_chunks = Index{1} << 15;

/// Points of the largest piece that `cut` makes.
Index most_points(const std::vector<Index>& chunk, Index element_bytes, Index limit = piece_bytes);

/// Cuts a hyperslab into pieces of at most `limit` bytes, in row-major order, along the outermost
/// axes. Cuts are aligned to chunks, so that no chunk is unpacked twice, unless a single chunk
/// exceeds `largest_piece_bytes`.
///
/// @param chunk    per dataset axis; empty for datasets without chunks
std::vector<Piece> cut(const Piece& whole, const std::vector<Index>& chunk, Index element_bytes,
                       Index limit = piece_bytes);

/// Positions of the points of a piece, in row-major order, within the row-major order of the
/// hyperslab that it was cut from: runs of `length` points; run k begins at `offset(k)`.
class Runs {
 public:
  Runs(const Piece& whole, const Piece& piece);

  Index length() const { return length_; }
  Index offset(Index run) const;

 private:
  std::vector<Index> start_, count_, pitch_;  ///< of the axes outside a run
  Index length_ = 1;
  Index within_ = 0;  ///< offset of a run's first point along the innermost axes
};

/// Calls `f(k, at, n)` for every run of n of the points `[first, last)` of the piece that are
/// contiguous both in the piece (from its point k on) and in the hyperslab (from `at`).
template <class F>
void for_runs(const Runs& runs, Index first, Index last, F&& f) {
  while (first < last) {
    const Index run = first / runs.length(), inside = first - run * runs.length();
    const Index n = runs.length() - inside < last - first ? runs.length() - inside : last - first;
    f(first, runs.offset(run) + inside, n);
    first += n;
  }
}

/// Calls `f(k, pointer, n)` for every run of n of the points `[first, last)` of the piece that are
/// contiguous both in the piece (from its point k on) and in the view.
///
/// @param view  of the box that the hyperslab `whole` is, in the same row-major order
template <class T, class F>
void for_stretches(const Runs& runs, FieldView<T> view, Index first, Index last, F&& f) {
  const Index columns = view.extent[x_axis], rows = view.extent[y_axis];
  while (first < last) {
    const Index run = first / runs.length(), inside = first - run * runs.length();
    const Index at = runs.offset(run) + inside;
    const Index row = at / columns, x = at - row * columns;
    Index n = runs.length() - inside;
    if (n > columns - x) n = columns - x;
    if (n > last - first) n = last - first;
    f(first, &view.at(row / rows, row % rows, x), n);
    first += n;
  }
}

}  // namespace stencil::storage

#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "framework/device/field.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil::storage {

/// A hyperslab of a dataset that is transferred in one call; start and count per dataset axis.
struct Piece {
  std::vector<Index> start, count;

  Index points() const;
};

/// Size in bytes of a piece that is read at once: small enough to be held twice in memory, large
/// enough for full speed.
inline constexpr Index piece_bytes = Index{64} << 20;

/// Size in bytes up to which a chunk is read as a whole.
inline constexpr Index largest_piece_bytes = Index{256} << 20;

/// Largest size of a chunk in bytes that the file format allows.
inline constexpr Index largest_chunk = (Index{1} << 32) - 1;

/// Number of points of a chunk; 1 if the extents are empty. @throws ShapeError the number overflows
/// 64 bits
Index points_of(const std::vector<Index>& chunk);

/// Approximate number of chunks transferred in one call: HDF5 needs about 3 KiB for each.
inline constexpr Index most_chunks = Index{1} << 15;

/// Number of points of the largest piece that `cut` makes.
Index most_points(const std::vector<Index>& chunk, Index element_bytes, Index limit = piece_bytes);

/// Cuts a hyperslab into pieces of at most `limit` bytes, in row-major order, along the outermost
/// axes. Cuts are aligned to chunks, so that no chunk is unpacked twice, unless a single chunk is
/// larger than `largest_piece_bytes`.
///
/// @param chunk    extents of a chunk per dataset axis; empty for datasets without chunks
std::vector<Piece> cut(const Piece& whole, const std::vector<Index>& chunk, Index element_bytes,
                       Index limit = piece_bytes);

/// Positions of the points of a piece, in row-major order, within the row-major order of the
/// hyperslab from which it was cut. The points form runs of `length` points; run k begins at
/// `offset(k)`.
class Runs {
 public:
  Runs(const Piece& whole, const Piece& piece);

  Index length() const { return length_; }
  Index offset(Index run) const;

 private:
  std::vector<Index> start_, count_, pitch_;  ///< along the axes outside a run
  Index length_ = 1;
  Index within_ = 0;  ///< offset of a run's first point along the innermost axes
};

/// Divides the points `[first, last)` of a piece into runs that are contiguous both in the piece
/// and in the hyperslab. Calls `f(k, at, n)` for each run of n points, which begins at point k of
/// the piece and at point `at` of the hyperslab.
template <class F>
void for_runs(const Runs& runs, Index first, Index last, F&& f) {
  while (first < last) {
    const Index run = first / runs.length(), inside = first - run * runs.length();
    const Index n = runs.length() - inside < last - first ? runs.length() - inside : last - first;
    f(first, runs.offset(run) + inside, n);
    first += n;
  }
}

/// Divides the points `[first, last)` of a piece into runs that are contiguous both in the piece
/// and in a view. Calls `f(k, pointer, n)` for each run of n points, which begins at point k of the
/// piece and at `pointer` in the view.
///
/// @param view  view of the same box as the hyperslab `whole`, in the same row-major order
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

/// Memory positions of the points of a hyperslab whose order in memory differs from the order in
/// the dataset.
class Scattered {
 public:
  Scattered() = default;
  /// @param count  number of points of the hyperslab along each axis of the dataset
  /// @param pitch  distance in memory from one point to the next along each axis, in elements; if
  ///               empty, the points are in the order of the dataset
  Scattered(const std::vector<Index>& count, const std::vector<Index>& pitch);

  bool empty() const { return count_.empty(); }
  /// Calls `f(offset, n, pitch)` for each run of n points that are `pitch` elements apart in
  /// memory, for the points `[first, last)` of the hyperslab in row-major order.
  template <class F>
  void for_rows(Index first, Index last, F&& f) const {
    std::array<Index, most_axes> at;
    Index offset = start(first, at);
    const std::size_t inner = count_.size() - 1;
    while (first < last) {
      const Index rest = count_[inner] - at[inner];
      const Index n = rest < last - first ? rest : last - first;
      f(offset, n, pitch_[inner]);
      first += n;
      at[inner] += n;
      offset += n * pitch_[inner];
      for (std::size_t axis = inner; axis > 0 && at[axis] == count_[axis]; --axis) {
        at[axis] = 0;
        offset += pitch_[axis - 1] - count_[axis] * pitch_[axis];
        ++at[axis - 1];
      }
    }
  }

 private:
  static constexpr std::size_t most_axes = 32;
  Index start(Index point, std::array<Index, most_axes>& at) const;

  std::vector<Index> count_, pitch_;
};

/// A hyperslab in memory: a view of its box and, if the hyperslab and the view differ in row-major
/// order, the positions of its points in the view.
template <class T>
struct SlabView {
  FieldView<T> view;
  Scattered places{};

  /// @param source  view of `box`
  SlabView(const NormalForm& form, const Slab& slab, const Box& box, FieldView<T> source)
      : view(source.window(shifted(slab.box, Point{-box.first[0], -box.first[1], -box.first[2]}))),
        places(slab.count, form.pitches(source.batch_pitch, source.row_pitch)) {}
};

/// Kind of access of a function to points in memory.
enum class Use { reads, sets, changes };

/// Like for_stretches() for a view, except that points that are not contiguous in memory are passed
/// to `f` as copies, in small batches.
template <Use use, class T, class F>
void for_stretches(const Runs& runs, const SlabView<T>& slab, Index first, Index last, F&& f) {
  if (slab.places.empty()) return for_stretches(runs, slab.view, first, last, f);
  constexpr Index most = 1024;
  std::array<std::remove_const_t<T>, most> points;
  for_runs(runs, first, last, [&](Index k, Index at, Index n) {
    for (const Index end = at + n; at < end;) {
      const Index count = most < end - at ? most : end - at;
      auto* copy = points.data();
      if constexpr (use != Use::sets)
        slab.places.for_rows(at, at + count, [&](Index offset, Index row, Index pitch) {
          const T* from = slab.view.data + offset;
          for (Index i = 0; i < row; ++i) *copy++ = from[i * pitch];
        });
      f(k, points.data(), count);
      copy = points.data();
      if constexpr (use != Use::reads)
        slab.places.for_rows(at, at + count, [&](Index offset, Index row, Index pitch) {
          T* const to = slab.view.data + offset;
          for (Index i = 0; i < row; ++i) to[i * pitch] = *copy++;
        });
      k += count;
      at += count;
    }
  });
}

}  // namespace stencil::storage

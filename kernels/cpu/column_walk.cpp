#include "kernels/cpu/column_walk.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Largest number of taps for which row sums, and copies of inputs, are limited by memory
/// bandwidth. For masks of at most this number of taps along each axis, the column pass prefetches
/// inputs, too. For larger masks, this prefetching slows down the column pass more than it speeds
/// up the row pass (0.8 to 0.9 times as fast on a Cascade Lake Xeon; the reason was not found).
/// Taller masks are faster with more rows at once, because fewer rows of the ring are read twice.
constexpr Index few_taps = 11;

/// Number of rows of outputs that are computed together from the ring.
template <class T>
Index step_of(const Stencil<T>& stencil) {
  return stencil.height > few_taps ? 32 : 16;
}
template <class T>
Index ring_rows(const Stencil<T>& stencil) {
  return stencil.height - 1 + step_of(stencil);
}

template <class T>
class ColumnPieces : public PieceSums<T> {
 public:
  ColumnPieces(const Work<T>& work, Index panel)
      : kernels_(work.kernels),
        source_(work.source),
        target_(work.target),
        stream_(work.stream),
        cached_(work.cached),
        panel_(panel),
        column_(work.stencil.method == Method::separable ? work.stencil.column : work.stencil.taps),
        row_(work.stencil.method == Method::separable ? work.stencil.row : std::vector<T>{}),
        height_(work.stencil.height),
        skip_zeros_(!work.stencil.multiply_zeros),
        step_(step_of(work.stencil)),
        ring_rows_(ring_rows(work.stencil)),
        fetches_soon_(row_.empty() || (Index(row_.size()) <= few_taps && height_ <= few_taps)) {}

  Index elements() const override { return RowRing<T>::size(ring_rows_, panel_ + line); }
  Index pointers() const override { return ring_rows_ + step_; }

  void sum(const Box& piece, T* memory, const T** rows) const override {
    T* const outputs = &target_.at(piece.first[0], piece.first[1], piece.first[2]);
    // the ring has the same alignment as the outputs, because the column pass reads the ring more
    // often than the row pass writes it
    const Index lead = Index(reinterpret_cast<std::uintptr_t>(outputs) / sizeof(T) % line);
    const RowRing<T> ring(memory + lead, ring_rows_, panel_ + line);
    Index next = piece.first[1];  // first input row that is not in the ring
    for (Index y = piece.first[1]; y < piece.last[1]; y += step_) {
      const Index count = std::min(step_, piece.last[1] - y);
      const bool in_place = cached_ && row_.empty();
      if (!in_place) add_rows(piece, next, y + count + height_ - 1, ring, rows);
      next = y + count + height_ - 1;
      for (Index r = 0; r < count + height_ - 1; ++r)
        rows[r] = in_place ? input(piece, y + r) : ring.row(y + r);
      const T** const soon = rows + ring_rows_;
      const Index end = piece.last[1] + height_ - 1;
      for (Index r = 0; r < count; ++r) soon[r] = input(piece, std::min(next + r, end - 1));
      kernels_.sum_columns({.rows = rows,
                            .count = count,
                            .taps = column_.data(),
                            .height = height_,
                            .skip_zeros = skip_zeros_,
                            .target = &target_.at(piece.first[0], y, piece.first[2]),
                            .pitch = target_.row_pitch,
                            .n = piece.extent()[2],
                            .stream = stream_,
                            .soon = fetches_soon_ && !cached_ && next < end ? soon : nullptr});
    }
  }

 private:
  static constexpr Index line = 64 / Index(sizeof(T));

  const T* input(const Box& piece, Index y) const {
    return &source_.at(piece.first[0], y, piece.first[2]);
  }

  /// Writes the row sums of the input rows `[first, last)`, or the inputs themselves, to the ring.
  /// The inputs are copied because rows whose pitch is a power of two would otherwise compete for
  /// the same sets of the cache.
  void add_rows(const Box& piece, Index first, Index last, const RowRing<T>& ring,
                const T** rows) const {
    const Index n = piece.extent()[2];
    if (row_.empty()) {
      for (Index y = first; y < last; ++y) std::copy_n(input(piece, y), n, ring.row(y));
      return;
    }
    // rows that are adjacent in the ring are written together
    for (Index y = first, count; y < last; y += count) {
      count = std::min(last - y, ring_rows_ - y % ring_rows_);
      for (Index r = 0; r < count; ++r) rows[r] = input(piece, y + r);
      kernels_.sum_lines({.rows = rows,
                          .count = count,
                          .taps = row_.data(),
                          .width = Index(row_.size()),
                          .target = ring.row(y),
                          .pitch = ring.pitch(),
                          .n = n,
                          .stream = false,
                          .ahead = source_.row_pitch});
    }
  }

  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool stream_, cached_;
  Index panel_;
  const std::vector<T>& column_;
  std::vector<T> row_;  ///< empty if the mask has columns only
  Index height_;
  bool skip_zeros_;
  Index step_, ring_rows_;
  bool fetches_soon_;  ///< the column pass prefetches the next inputs
};

}  // namespace

template <class T>
bool can_walk_columns(const Stencil<T>& stencil) {
  if (stencil.stride != std::array<Index, 2>{1, 1}) return false;
  // The speed of a mask of few rows is limited by memory bandwidth. A sweep, which alternates
  // between short reads and short writes, uses more of this bandwidth than walks over whole panels.
  // With 17 rows on an Emerald Rapids Xeon, the sweep computes 2.8e9 points per second in float32
  // and 1.2e9 in float64, and the column walk 2.6e9 and 1.3e9.
  constexpr Index lowest = sizeof(T) == 4 ? 18 : 17;
  if (stencil.method == Method::direct) return stencil.height >= lowest && stencil.width == 1;
  const bool all = stencil.multiply_zeros ||
                   std::find(stencil.row.begin(), stencil.row.end(), T(0)) == stencil.row.end();
  return stencil.method == Method::separable && all;
}

template <class T>
Walk<T> column_walk(const Stencil<T>& stencil) {
  constexpr Index widest = 8192 / Index(sizeof(T));
  return {std::min(widest, cached_panel(ring_rows(stencil), sizeof(T))), stencil.height - 1,
          [](const Work<T>& work, Index panel) -> std::unique_ptr<PieceSums<T>> {
            return std::make_unique<ColumnPieces<T>>(work, panel);
          }};
}

template bool can_walk_columns(const Stencil<float>&);
template bool can_walk_columns(const Stencil<double>&);
template Walk<float> column_walk(const Stencil<float>&);
template Walk<double> column_walk(const Stencil<double>&);

}  // namespace stencil::cpu

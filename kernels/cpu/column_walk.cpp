#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

template <class T>
class ColumnWalk {
 public:
  ColumnWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
             FieldView<T> target)
      : kernels_(kernels),
        source_(source),
        target_(target),
        column_(stencil.method == Method::separable ? stencil.column : stencil.taps),
        row_(stencil.method == Method::separable ? stencil.row : std::vector<T>{}),
        height_(stencil.height),
        skip_zeros_(!stencil.multiply_zeros),
        step_(height_ > few_taps ? 32 : 16),
        ring_rows_(height_ - 1 + step_),
        fetches_soon_(row_.empty() || (Index(row_.size()) <= few_taps && height_ <= few_taps)),
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) *
                                    double(stencil.height + stencil.width))),
        cut_(target.extent, std::min(widest, cached_panel(ring_rows_, sizeof(T))), height_ - 1,
             threads_) {}

  void run() const {
    const Index ring_size = RowRing<T>::size(ring_rows_, cut_.panel() + line);
    const Scratch<T> sums(threads_, ring_size);
    const Scratch<const T*> rows(threads_, ring_rows_ + step_);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const int thread = omp_get_thread_num();
      const Box piece = cut_.piece(n);
      if (!piece.empty()) walk(piece, sums.of_thread(thread), rows.of_thread(thread));
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  static constexpr Index widest = 8192 / Index(sizeof(T));  ///< panel
  static constexpr Index line = 64 / Index(sizeof(T));
  /// Copies of inputs and row sums of so few taps wait for memory, so it is asked while columns are
  /// summed, too. Row sums of more taps have the time; then, and with taller masks, columns lose
  /// more than rows gain (0.8 to 0.9 times as fast on a Cascade Lake Xeon, for a reason that was
  /// not found). Taller masks gain from more rows at once, as fewer rows of the ring are read
  /// twice.
  static constexpr Index few_taps = 11;

  const T* input(const Box& piece, Index y) const {
    return &source_.at(piece.first[0], y, piece.first[2]);
  }

  void walk(const Box& piece, T* memory, const T** rows) const {
    T* const outputs = &target_.at(piece.first[0], piece.first[1], piece.first[2]);
    // aligned where the outputs are: the columns read the ring more often than the rows write it
    const Index lead = Index(reinterpret_cast<std::uintptr_t>(outputs) / sizeof(T) % line);
    const RowRing<T> ring(memory + lead, ring_rows_, cut_.panel() + line);
    Index next = piece.first[1];  // first input row that is not in the ring
    for (Index y = piece.first[1]; y < piece.last[1]; y += step_) {
      const Index count = std::min(step_, piece.last[1] - y);
      add_rows(piece, next, y + count + height_ - 1, ring, rows);
      next = y + count + height_ - 1;
      for (Index r = 0; r < count + height_ - 1; ++r) rows[r] = ring.row(y + r);
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
                            .soon = fetches_soon_ && next < end ? soon : nullptr});
    }
  }

  /// Row sums of the inputs `[first, last)`, or the inputs themselves, into the ring. Without the
  /// copy rows whose pitch is a power of two would fall into the same sets of the cache.
  void add_rows(const Box& piece, Index first, Index last, const RowRing<T>& ring,
                const T** rows) const {
    const Index n = piece.extent()[2];
    if (row_.empty()) {
      for (Index y = first; y < last; ++y) std::copy_n(input(piece, y), n, ring.row(y));
      return;
    }
    // as many rows at once as follow each other in the ring
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
  const std::vector<T>& column_;
  std::vector<T> row_;  ///< empty: columns only
  Index height_;
  bool skip_zeros_;
  Index step_;  ///< rows of outputs for which the ring is read once
  Index ring_rows_;
  bool fetches_soon_;  ///< column sums fetch the next inputs
  bool stream_;
  int threads_;
  WorkCut cut_;
};

}  // namespace

template <class T>
bool can_walk_columns(const Stencil<T>& stencil) {
  if (stencil.min_valid || stencil.stride != std::array<Index, 2>{1, 1}) return false;
  // A low mask is bound by memory, and a sweep, which reads and writes a little by turns, keeps it
  // busier than whole panels do. 17 rows on an Emerald Rapids Xeon, sweep and columns: 2.8 and 2.6
  // Gpt/s in float32, 1.2 and 1.3 in float64.
  constexpr Index lowest = sizeof(T) == 4 ? 18 : 17;
  if (stencil.method == Method::direct) return stencil.height >= lowest && stencil.width == 1;
  const bool all = stencil.multiply_zeros ||
                   std::find(stencil.row.begin(), stencil.row.end(), T(0)) == stencil.row.end();
  return stencil.method == Method::separable && all;
}

template <class T>
void walk_columns(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                  FieldView<const T> source, FieldView<T> target) {
  ColumnWalk<T>(stencil, kernels, source, target).run();
}

template bool can_walk_columns(const Stencil<float>&);
template bool can_walk_columns(const Stencil<double>&);
template void walk_columns(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                           FieldView<float>);
template void walk_columns(const Stencil<double>&, const RowKernels<double>&,
                           FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu

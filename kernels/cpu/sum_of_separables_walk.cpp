#include "kernels/cpu/sum_of_separables_walk.hpp"

#include <omp.h>

#include <algorithm>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Number of input rows of one step of a sweep. It is smaller than for a single separable mask,
/// because every term keeps separate row sums in the cache.
constexpr Index step_rows = most_sweep / 2;

/// Transposes taps `[terms, count]` to `[count, terms]`, the order in which the column pass reads
/// them.
template <class T>
std::vector<T> interleaved(const std::vector<T>& taps, Index terms) {
  const Index count = Index(taps.size()) / terms;
  std::vector<T> result;
  for (Index j = 0; j < count; ++j)
    for (Index k = 0; k < terms; ++k) result.push_back(taps[k * count + j]);
  return result;
}

/// Lists the taps of all row factors with their offsets.
template <class T>
std::vector<Tap<T>> list_rows(const Stencil<T>& stencil) {
  std::vector<Tap<T>> list;
  for (std::size_t n = 0; n < stencil.row.size(); ++n)
    list.push_back({Index(n) % stencil.width, stencil.row[n]});
  return list;
}

/// Walk for a sum of separable masks. The column pass uses the code for 2D masks, with one column
/// of the mask for each term: column k of the mask is multiplied by the row sums of term k.
template <class T>
class SumOfSeparablesWalk {
 public:
  SumOfSeparablesWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                      FieldView<const T> source, FieldView<T> target)
      : stencil_(stencil),
        kernels_(kernels),
        source_(source),
        target_(target),
        terms_(stencil.terms),
        rows_(list_rows(stencil)),
        columns_(interleaved(stencil.column, stencil.terms)),
        sweeps_(can_sweep(stencil, target.extent)),
        ring_rows_(sweeps_ ? step_rows : stencil.height),
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) *
                                    double(terms_ * (stencil.height + stencil.width)))),
        cut_(target.extent,
             cached_panel(sweeps_ ? terms_ * step_rows + stencil.height : terms_ * ring_rows_,
                          sizeof(T)),
             stencil.height - 1, threads_),
        ring_size_(RowRing<T>::size(ring_rows_, cut_.panel())) {}

  void run() const {
    // after the rings, memory for the incomplete sums of a sweep
    const Index behind = sweeps_ ? sweep_state(stencil_.height, cut_.panel()) : 0;
    const Scratch<T> sums(threads_, terms_ * ring_size_ + behind);
    const Scratch<const T*> rows(threads_, std::max<Index>(terms_ * stencil_.height, step_rows));
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const int thread = omp_get_thread_num();
      if (sweeps_) {
        sweep(cut_.piece(n), sums.of_thread(thread), rows.of_thread(thread));
      } else {
        walk(cut_.piece(n), sums.of_thread(thread), rows.of_thread(thread));
      }
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  /// Ring of the row sums of one term.
  RowRing<T> ring(T* sums, Index term) const {
    return {sums + term * ring_size_, ring_rows_, cut_.panel()};
  }

  /// Returns whether a sweep is possible and efficient: there are no strides, and so many rows that
  /// the first rows of the sweep, which complete no output, take little of the time.
  static bool can_sweep(const Stencil<T>& stencil, const Point& extent) {
    return stencil.stride == std::array<Index, 2>{1, 1} && extent[1] >= 4 * (stencil.height - 1);
  }

  /// Sums a piece by a sweep: each step computes the row sums of some rows and adds them to the
  /// column sums.
  void sweep(const Box& piece, T* sums, const T** rows) const {
    if (piece.empty()) return;
    const Index begin = piece.first[1], end = piece.last[1] + stencil_.height - 1;
    for (Index next = begin; next < end; next += step_rows) {
      const Index count = std::min<Index>(step_rows, end - next);
      sum_lines(piece, next, count, sums, rows);
      for (Index r = 0; r < count; ++r) rows[r] = ring(sums, 0).row(r);
      const Index first = std::clamp<Index>(begin + stencil_.height - 1 - next, 0, count);
      const Index y = next + first - (stencil_.height - 1);
      kernels_.sweep_rows({.rows = rows,
                           .count = count,
                           .taps = columns_.data(),
                           .height = stencil_.height,
                           .width = terms_,
                           .skip_zeros = false,
                           .begins = next == begin,
                           .state = sums + terms_ * ring_size_,
                           .target = &target_.at(piece.first[0], y, piece.first[2]),
                           .first = first,
                           .pitch = target_.row_pitch,
                           .n = piece.extent()[2],
                           .stream = stream_,
                           .ahead = 0,
                           .across = ring_size_});
    }
  }

  void sum_lines(const Box& piece, Index next, Index count, T* sums, const T** rows) const {
    for (Index r = 0; r < count; ++r)
      rows[r] = &source_.at(piece.first[0], next + r, piece.first[2]);
    for (Index term = 0; term < terms_; ++term)
      kernels_.sum_lines({.rows = rows,
                          .count = count,
                          .taps = &stencil_.row[term * stencil_.width],
                          .width = stencil_.width,
                          .target = ring(sums, term).row(0),
                          .pitch = ring(sums, term).pitch(),
                          .n = piece.extent()[2],
                          .stream = false,
                          .ahead = source_.row_pitch});
  }

  /// Computes a piece one row of outputs after the other, with any stride.
  void walk(const Box& piece, T* sums, const T** rows) const {
    const Index stride = stencil_.stride[0], height = stencil_.height;
    Index next = piece.first[1] * stride;  // first input row whose row sums are not in the rings
    for (Index y = piece.first[1]; y < piece.last[1]; ++y) {
      const Index first = y * stride;
      for (next = std::max(next, first); next < first + height; ++next) add_row(piece, next, sums);
      for (Index j = 0; j < height; ++j)
        for (Index term = 0; term < terms_; ++term)
          rows[j * terms_ + term] = ring(sums, term).row(first + j);
      kernels_.sum_rows({.rows = rows,
                         .count = 1,
                         .taps = columns_.data(),
                         .depth = 1,
                         .height = terms_ * height,
                         .width = 1,
                         .skip_zeros = false,
                         .target = &target_.at(piece.first[0], y, piece.first[2]),
                         .pitch = target_.row_pitch,
                         .n = piece.extent()[2],
                         .stream = stream_});
    }
  }

  /// Writes the row sums of one input row, at the columns of the piece.
  void add_row(const Box& piece, Index row, T* sums) const {
    const Index step = stencil_.stride[1];
    const T* from = &source_.at(piece.first[0], row, piece.first[2] * step);
    for (Index term = 0; term < terms_; ++term)
      kernels_.sum_row(&rows_[term * stencil_.width], stencil_.width, from, step, false,
                       ring(sums, term).row(row), piece.extent()[2]);
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  Index terms_;
  std::vector<Tap<T>> rows_;  ///< `[terms, width]`
  std::vector<T> columns_;    ///< `[height, terms]`
  bool sweeps_;
  Index ring_rows_;
  bool stream_;
  int threads_;
  WorkCut cut_;
  Index ring_size_;
};

}  // namespace

template <class T>
void walk_sum_of_separables(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            FieldView<const T> source, FieldView<T> target) {
  SumOfSeparablesWalk<T>(stencil, kernels, source, target).run();
}

template void walk_sum_of_separables(const Stencil<float>&, const RowKernels<float>&,
                                     FieldView<const float>, FieldView<float>);
template void walk_sum_of_separables(const Stencil<double>&, const RowKernels<double>&,
                                     FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu

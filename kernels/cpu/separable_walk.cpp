#include <omp.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// The row factor as a list, without the zeros that do not meet their input.
template <class T>
std::vector<Tap<T>> list_row(const Stencil<T>& stencil) {
  std::vector<Tap<T>> list;
  for (Index i = 0; i < stencil.width; ++i) {
    if (stencil.row[i] != 0 || stencil.multiply_zeros) list.push_back({i, stencil.row[i]});
  }
  return list;
}

template <class T>
std::vector<T> absolute(std::vector<T> taps) {
  for (T& tap : taps) tap = std::abs(tap);
  return taps;
}

template <class T>
class SeparableWalk {
 public:
  SeparableWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                FieldView<T> target)
      : stencil_(stencil),
        kernels_(kernels),
        source_(source),
        target_(target),
        weights_(make_weights(stencil)),
        planes_(weights_.wanted ? (weights_.mixed ? 3 : 2) : 1),
        row_(list_row(stencil)),
        absolute_column_(absolute(stencil.column)),
        sweeps_(can_sweep(stencil, target.extent)),
        ring_rows_(sweeps_ ? most_sweep : stencil.height + most_rows - 1),
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) *
                                    double(stencil.height + stencil.width))),
        // A sweep reads every row of the buffer once, soon after it was written: wide panels, which
        // memory favours, are worth some more of the cache.
        cut_(target.extent,
             cached_panel(sweeps_ ? (most_sweep + stencil.height) / 2 : planes_ * ring_rows_,
                          sizeof(T)),
             stencil.height - 1, threads_),
        ring_size_(RowRing<T>::size(ring_rows_, cut_.panel())) {}

  void run() const {
    // Behind the rings lie the finished column sums of one group of rows, or those of a sweep that
    // wait for more rows.
    const Index behind =
        sweeps_ ? sweep_state(stencil_.height, cut_.panel()) : planes_ * most_rows * cut_.panel();
    const Scratch<T> sums(threads_, planes_ * ring_size_ + behind);
    const Scratch<const T*> rows(threads_, std::max<Index>(ring_rows_, most_sweep));
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
  RowRing<T> ring(T* sums, Index plane) const {
    return {sums + plane * ring_size_, ring_rows_, cut_.panel()};
  }

  /// Whether rows and columns have neighbouring inputs, and so many rows that those in which a
  /// sweep ends no sum count little.
  static bool can_sweep(const Stencil<T>& stencil, const Point& extent) {
    const bool plain = !stencil.min_valid && stencil.stride == std::array<Index, 2>{1, 1} &&
                       list_row(stencil).size() == stencil.row.size();
    return plain && extent[1] >= 4 * (stencil.height - 1);
  }

  /// Row sums of some rows, which a step of a sweep adds to the columns at once.
  void sweep(const Box& piece, T* sums, const T** rows) const {
    if (piece.empty()) return;
    const RowRing<T> row_sums = ring(sums, 0);
    const Index begin = piece.first[1], end = piece.last[1] + stencil_.height - 1;
    const Index n = piece.extent()[2];
    for (Index next = begin; next < end; next += most_sweep) {
      const Index count = std::min<Index>(most_sweep, end - next);
      for (Index r = 0; r < count; ++r)
        rows[r] = &source_.at(piece.first[0], next + r, piece.first[2]);
      kernels_.sum_lines({.rows = rows,
                          .count = count,
                          .taps = stencil_.row.data(),
                          .width = stencil_.width,
                          .target = row_sums.row(0),
                          .pitch = row_sums.pitch(),
                          .n = n,
                          .stream = false,
                          .ahead = source_.row_pitch});
      for (Index r = 0; r < count; ++r) rows[r] = row_sums.row(r);
      const Index first = std::clamp<Index>(begin + stencil_.height - 1 - next, 0, count);
      const Index y = next + first - (stencil_.height - 1);
      kernels_.sweep_rows({.rows = rows,
                           .count = count,
                           .taps = stencil_.column.data(),
                           .height = stencil_.height,
                           .width = 1,
                           .skip_zeros = !stencil_.multiply_zeros,
                           .begins = next == begin,
                           .state = sums + ring_size_,
                           .target = &target_.at(piece.first[0], y, piece.first[2]),
                           .first = first,
                           .pitch = target_.row_pitch,
                           .n = n,
                           .stream = stream_,
                           .ahead = 0});
    }
  }

  void walk(const Box& piece, T* sums, const T** rows) const {
    const Index stride = stencil_.stride[0];
    Index next = piece.first[1] * stride;  // first input row whose row sums are not in the ring
    for (Index y = piece.first[1]; y < piece.last[1];) {
      const Index group =
          stride > 1 ? 1 : std::min({Index(most_rows), stencil_.height, piece.last[1] - y});
      const Index last = (y + group - 1) * stride + stencil_.height;
      for (next = std::max(next, y * stride); next < last; ++next) add_row(piece, next, sums);
      if (weights_.wanted) {
        add_columns_over_valid(piece, y, int(group), sums, rows);
      } else {
        add_columns(ring(sums, 0), stencil_.column, y * stride, int(group), rows, stream_,
                    &target_.at(piece.first[0], y, piece.first[2]), target_.row_pitch,
                    piece.extent()[2]);
      }
      y += group;
    }
  }

  /// Row sums of one input row, at the columns that the piece asks for.
  void add_row(const Box& piece, Index row, T* sums) const {
    const T* from = &source_.at(piece.first[0], row, piece.first[2] * stencil_.stride[1]);
    const Index step = stencil_.stride[1], n = piece.extent()[2], count = Index(row_.size());
    T* to = ring(sums, 0).row(row);
    if (weights_.wanted) {
      kernels_.sum_valid_row(row_.data(), count, from, step, to, ring(sums, 1).row(row),
                             weights_.mixed ? ring(sums, 2).row(row) : nullptr, n);
    } else {
      kernels_.sum_row(row_.data(), count, from, step, false, to, n);
    }
  }

  /// Column sums of `group` output rows whose first input row is `first`.
  void add_columns(const RowRing<T>& ring, const std::vector<T>& column, Index first, int group,
                   const T** rows, bool stream, T* target, Index pitch, Index n) const {
    for (Index k = 0; k < group + stencil_.height - 1; ++k) rows[k] = ring.row(first + k);
    kernels_.sum_rows(rows, column.data(), stencil_.height, 1, !stencil_.multiply_zeros, group,
                      stream, target, pitch, n);
  }

  void add_columns_over_valid(const Box& piece, Index y, int group, T* sums, const T** rows) const {
    const Index n = piece.extent()[2], first = y * stencil_.stride[0], pitch = cut_.panel();
    T* finished = sums + planes_ * ring_size_;
    for (Index plane = 0; plane < planes_; ++plane) {
      add_columns(ring(sums, plane), plane == 2 ? absolute_column_ : stencil_.column, first, group,
                  rows, false, finished + plane * most_rows * pitch, pitch, n);
    }
    for (Index k = 0; k < group; ++k) {
      const T* num = finished + k * pitch;
      const T* den = num + most_rows * pitch;
      kernels_.rescale_row(num, den, weights_.mixed ? den + most_rows * pitch : nullptr,
                           weights_.total, weights_.threshold,
                           &target_.at(piece.first[0], y + k, piece.first[2]), n);
    }
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  Weights<T> weights_;
  Index planes_;  ///< 1, or sums over valid points, of their taps and of their absolute taps
  std::vector<Tap<T>> row_;
  std::vector<T> absolute_column_;
  bool sweeps_;
  Index ring_rows_;
  bool stream_;
  int threads_;
  WorkCut cut_;
  Index ring_size_;
};

}  // namespace

template <class T>
void walk_separable(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                    FieldView<const T> source, FieldView<T> target) {
  SeparableWalk<T>(stencil, kernels, source, target).run();
}

template void walk_separable(const Stencil<float>&, const RowKernels<float>&,
                             FieldView<const float>, FieldView<float>);
template void walk_separable(const Stencil<double>&, const RowKernels<double>&,
                             FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu

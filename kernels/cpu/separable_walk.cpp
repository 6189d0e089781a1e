#include <omp.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/split_row.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// The row factor as a list, without the zeros that do not meet their input.
template <class T>
std::vector<Tap<T>> list_row(const Stencil<T>& stencil, const SplitRow& split) {
  std::vector<Tap<T>> list;
  for (Index i = 0; i < stencil.width; ++i) {
    if (stencil.row[i] != 0 || stencil.multiply_zeros)
      list.push_back({split.offset(i), stencil.row[i]});
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
        absolute_column_(absolute(stencil.column)),
        ring_rows_(stencil.height + most_rows - 1),
        stream_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        threads_(worthwhile_threads(double(points(target.extent)) *
                                    double(stencil.height + stencil.width))),
        cut_(target.extent, cached_panel(planes_ * ring_rows_, sizeof(T)), stencil.height - 1,
             threads_),
        ring_size_(RowRing<T>::size(ring_rows_, cut_.panel())),
        split_(stencil.stride[1], stencil.width, cut_.panel(), sizeof(T)),
        row_(list_row(stencil, split_)) {}

  void run() const {
    // behind the rings lie the finished column sums of one group of rows
    const Scratch<T> sums(threads_,
                          planes_ * (ring_size_ + most_rows * cut_.panel()) + split_.size());
    const Scratch<const T*> rows(threads_, ring_rows_);
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const int thread = omp_get_thread_num();
      walk(cut_.piece(n), sums.of_thread(thread), rows.of_thread(thread));
      if (stream_) kernels_.finish_streaming();
    }
  }

 private:
  RowRing<T> ring(T* sums, Index plane) const {
    return {sums + plane * ring_size_, ring_rows_, cut_.panel()};
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
    const Index step = stencil_.stride[1], n = piece.extent()[2], count = Index(row_.size());
    const T* from = &source_.at(piece.first[0], row, piece.first[2] * step);
    if (step > 1) {
      T* const split = sums + planes_ * (ring_size_ + most_rows * cut_.panel());
      kernels_.split_row(from, (n - 1) * step + stencil_.width, step, split_.parts(), split,
                         split_.pitch());
      from = split;
    }
    T* to = ring(sums, 0).row(row);
    if (weights_.wanted) {
      kernels_.sum_valid_row(row_.data(), count, from, 1, to, ring(sums, 1).row(row),
                             weights_.mixed ? ring(sums, 2).row(row) : nullptr, n);
    } else {
      kernels_.sum_row(row_.data(), count, from, 1, false, to, n);
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
  std::vector<T> absolute_column_;
  Index ring_rows_;
  bool stream_;
  int threads_;
  WorkCut cut_;
  Index ring_size_;
  SplitRow split_;
  std::vector<Tap<T>> row_;
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

#include "kernels/cpu/separable_walk.hpp"

#include <algorithm>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/split_row.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Lists the taps of the row factor that are not skipped.
template <class T>
std::vector<Tap<T>> list_row(const Stencil<T>& stencil, const SplitRow& split) {
  std::vector<Tap<T>> list;
  for (Index i = 0; i < stencil.width; ++i) {
    if (stencil.row[i] != 0 || stencil.multiply_zeros)
      list.push_back({split.offset(i), stencil.row[i]});
  }
  return list;
}

/// Number of rows of row sums that the column pass over one group of output rows reads.
template <class T>
Index ring_rows(const Stencil<T>& stencil) {
  return stencil.height + most_rows - 1;
}

template <class T>
class SeparablePieces : public PieceSums<T> {
 public:
  SeparablePieces(const Work<T>& work, Index panel)
      : stencil_(work.stencil),
        kernels_(work.kernels),
        source_(work.source),
        target_(work.target),
        stream_(work.stream),
        panel_(panel),
        ring_rows_(ring_rows(stencil_)),
        split_(stencil_.stride[1], stencil_.width, panel, sizeof(T)),
        row_(list_row(stencil_, split_)) {}

  Index elements() const override { return RowRing<T>::size(ring_rows_, panel_) + split_.size(); }
  Index pointers() const override { return ring_rows_; }

  void sum(const Box& piece, T* memory, const T** rows) const override {
    const RowRing<T> ring(memory, ring_rows_, panel_);
    T* const split = memory + RowRing<T>::size(ring_rows_, panel_);
    const Index stride = stencil_.stride[0];
    Index next = piece.first[1] * stride;  // first input row whose row sums are not in the ring
    for (Index y = piece.first[1]; y < piece.last[1];) {
      const Index group =
          stride > 1 ? 1 : std::min({Index(most_rows), stencil_.height, piece.last[1] - y});
      const Index first = y * stride, last = first + (group - 1) * stride + stencil_.height;
      for (next = std::max(next, first); next < last; ++next)
        add_row(piece, next, split, ring.row(next));
      for (Index k = 0; k < group + stencil_.height - 1; ++k) rows[k] = ring.row(first + k);
      kernels_.sum_rows({.rows = rows,
                         .count = group,
                         .taps = stencil_.column.data(),
                         .depth = 1,
                         .height = stencil_.height,
                         .width = 1,
                         .skip_zeros = !stencil_.multiply_zeros,
                         .target = &target_.at(piece.first[0], y, piece.first[2]),
                         .pitch = target_.row_pitch,
                         .n = piece.extent()[2],
                         .stream = stream_});
      y += group;
    }
  }

 private:
  /// Writes the row sums of one input row, at the columns of the piece.
  void add_row(const Box& piece, Index row, T* split, T* to) const {
    const Index step = stencil_.stride[1], n = piece.extent()[2];
    const T* from = &source_.at(piece.first[0], row, piece.first[2] * step);
    if (step > 1) {
      kernels_.split_row(from, (n - 1) * step + stencil_.width, step, split_.parts(), split,
                         split_.pitch());
      from = split;
    }
    kernels_.sum_row(row_.data(), Index(row_.size()), from, 1, false, to, n);
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool stream_;
  Index panel_, ring_rows_;
  SplitRow split_;
  std::vector<Tap<T>> row_;
};

}  // namespace

template <class T>
Walk<T> separable_walk(const Stencil<T>& stencil) {
  return {cached_panel(ring_rows(stencil), sizeof(T)), stencil.height - 1,
          [](const Work<T>& work, Index panel) -> std::unique_ptr<PieceSums<T>> {
            return std::make_unique<SeparablePieces<T>>(work, panel);
          }};
}

template Walk<float> separable_walk(const Stencil<float>&);
template Walk<double> separable_walk(const Stencil<double>&);

}  // namespace stencil::cpu

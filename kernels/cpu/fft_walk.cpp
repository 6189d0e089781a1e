#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/fft_work.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/walks.hpp"

namespace stencil::cpu {
namespace {

/// Overlap-save over all lines of a view, along x or along y. Threads take bundles of pieces.
template <class T>
class FftWalk {
 public:
  FftWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
          FieldView<T> target, const Anchor& anchor)
      : work_(stencil, source, target, anchor),
        kernels_(kernels),
        bundle_(fft_bundle(work_.blocks, kernels.fft_lanes, sizeof(T), work_.along_x)),
        tables_{work_.blocks.points,          work_.blocks.outputs(),
                stencil.fft->radices.data(),  int(stencil.fft->radices.size()),
                stencil.fft->twiddles.data(), stencil.fft->spectrum.data()} {
    for (Index k = 0; k < Index(stencil.taps.size()); ++k)
      if (stencil.taps[k] != 0 || stencil.multiply_zeros)
        taps_.push_back({k * (work_.along_x ? 1 : source.row_pitch), stencil.taps[k]});
  }

  void run() const {
    const Index bundles = (work_.count() + bundle_ - 1) / bundle_;
    const int threads = int(std::min<Index>(omp_get_max_threads(), bundles));
    const Scratch<T> tiles(threads, fft_tile(work_.blocks.points, kernels_.fft_lanes));
    const bool in_panel = !work_.along_x || work_.stride > 1;
    const Scratch<T> panels(threads, in_panel ? bundle_ * work_.blocks.reach() : 0);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index first = 0; first < work_.count(); first += bundle_) {
      const int thread = omp_get_thread_num();
      const Index last = std::min(work_.count(), first + bundle_);
      if (work_.along_x) {
        lines(first, last, tiles.of_thread(thread), panels.of_thread(thread));
      } else {
        columns(first, last, tiles.of_thread(thread), panels.of_thread(thread));
      }
    }
  }

 private:
  using Piece = typename FftWork<T>::Piece;

  /// @param dense  with a stride: outputs before it, one pair after the other
  void lines(Index first, Index last, T* tile, T* dense) const {
    FftLane<T> lanes[most_fft_lanes] = {};
    const Index stride = work_.stride, pair = work_.blocks.pair();
    for (Index n = first; n < last; ++n) {
      const Piece piece = work_.piece(n);
      const Interval wanted = piece.dense(stride);
      T* target =
          stride > 1 ? dense + (n - first) * pair : work_.output(piece, piece.outputs.first);
      lanes[n - first] = {work_.input(piece, 0), piece.inputs, target, wanted.first, wanted.last};
    }
    const unsigned bad = kernels_.convolve_lines(tables_, lanes, tile);
    for (Index n = first; n < last; ++n) {
      const Piece piece = work_.piece(n);
      if ((bad >> (n - first) & 1) != 0) {
        kernels_.sum_row(taps_.data(), Index(taps_.size()),
                         work_.input(piece, piece.dense(stride).first), stride, false,
                         work_.output(piece, piece.outputs.first), piece.outputs.extent());
      } else if (stride > 1) {
        const T* from = dense + (n - first) * pair;
        T* to = work_.output(piece, piece.outputs.first);
        for (Index o = 0; o < piece.outputs.extent(); ++o) to[o] = from[o * stride];
      }
    }
  }

  /// Columns go through a panel that holds as many of them side by side as is good for the memory.
  void columns(Index first, Index last, T* tile, T* panel) const {
    for (Index n = first; n < last; n += work_.columns(n, last))
      fill_panel(work_.piece(n), work_.columns(n, last), panel + (n - first));
    std::uint64_t bad = 0;
    for (Index n = 0; n < last - first; n += kernels_.fft_lanes)
      bad |= std::uint64_t(
                 kernels_.convolve_columns(tables_, panel + n, bundle_, work_.blocks.reach(), tile))
             << n;
    for (Index n = first; n < last; n += work_.columns(n, last))
      sum_bad_columns(n, work_.columns(n, last), bad >> (n - first), panel + (n - first));
    for (Index n = first; n < last; n += work_.columns(n, last))
      empty_panel(work_.piece(n), work_.columns(n, last), panel + (n - first));
  }

  void fill_panel(const Piece& piece, Index columns, T* panel) const {
    const Index step = work_.column_step();
    for (Index row = 0; row < piece.inputs; ++row) {
      const T* from = work_.input(piece, row);
      for (Index k = 0; k < columns; ++k) panel[row * bundle_ + k] = from[k * step];
    }
    for (Index row = piece.inputs; row < work_.blocks.reach(); ++row)
      std::fill_n(panel + row * bundle_, columns, T(0));
  }
  void empty_panel(const Piece& piece, Index columns, const T* panel) const {
    for (Index o = piece.outputs.first; o < piece.outputs.last; ++o)
      std::copy_n(panel + (o * work_.stride - piece.begin) * bundle_, columns,
                  work_.output(piece, o));
  }

  /// NaN, Inf and numbers whose transform overflows: as IEEE arithmetic has it, tap by tap.
  /// @param bad  bit k: column k
  void sum_bad_columns(Index number, Index columns, std::uint64_t bad, T* panel) const {
    for (Index k = 0; k < columns; ++k) {
      Index run = 0;
      while (k + run < columns && (bad >> (k + run) & 1) != 0) ++run;
      if (run > 0) sum_columns(work_.piece(number + k), run, panel + k);
      k += run;
    }
  }
  void sum_columns(const Piece& piece, Index columns, T* panel) const {
    for (Index o = piece.outputs.first; o < piece.outputs.last; ++o) {
      const Index row = o * work_.stride - piece.begin;
      kernels_.sum_row(taps_.data(), Index(taps_.size()), work_.input(piece, row),
                       work_.column_step(), false, panel + row * bundle_, columns);
    }
  }

  FftWork<T> work_;
  const RowKernels<T>& kernels_;
  Index bundle_;
  FftTables<T> tables_;
  std::vector<Tap<T>> taps_;
};

}  // namespace

template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor) {
  FftWalk<T>(stencil, kernels, source, target, anchor).run();
}

template void walk_fft(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                       FieldView<float>, const Anchor&);
template void walk_fft(const Stencil<double>&, const RowKernels<double>&, FieldView<const double>,
                       FieldView<double>, const Anchor&);

}  // namespace stencil::cpu

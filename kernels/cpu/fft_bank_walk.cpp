#include "kernels/cpu/fft_bank_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/fft_work.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Returns the view of the outputs of the first filter, from the view of the outputs of all
/// filters.
template <class T>
FieldView<T> of_first(FieldView<T> target, Index filters) {
  return {target.data,
          {target.extent[batch_axis] / filters, target.extent[y_axis], target.extent[x_axis]},
          target.batch_pitch * filters,
          target.row_pitch};
}

/// Each thread transforms bundles of pairs and applies all filters to them.
template <class T>
class FftBankWalk {
 public:
  FftBankWalk(const std::vector<Stencil<T>>& filters, const RowKernels<T>& kernels,
              FieldView<const T> source, FieldView<T> target, const Anchor& anchor)
      : filters_(filters),
        work_(filters.front(), source, of_first(target, Index(filters.size())), anchor),
        kernels_(kernels),
        bundle_(kernels.fft_pairs),
        filter_pitch_(target.batch_pitch),
        streamed_(worth_streaming(double(points(target.extent)) * sizeof(T))) {
    const FftPlan<T>& first = *filters.front().fft;
    const FftBlocks& blocks = work_.blocks;
    for (const Stencil<T>& filter : filters)
      tables_.push_back({blocks.points,
                         fft_leg(blocks.points, first.radices.front(), kernels.fft_pairs),
                         blocks.outputs() + blocks.width - 1, blocks.outputs(),
                         first.radices.data(), first.twiddles.data(), first.turns.data(),
                         filter.fft->spectrum.data(), fft_every(work_.stride)});
  }

  void run() const {
    const Index bundles = work_.bundles(bundle_);
    const int threads = int(std::min<Index>(omp_get_max_threads(), bundles));
    const Scratch<T> tiles(threads, fft_tile(work_.blocks.points, kernels_.fft_pairs));
    const Scratch<T> kept(threads, fft_kept(work_.blocks.points, kernels_.fft_pairs));
    const Scratch<T> panels(threads, bundle_ * fft_line_pitch(work_.blocks));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index n = 0; n < bundles; ++n) {
      const int thread = omp_get_thread_num();
      convolve(work_.bundle(n, bundle_), tiles.of_thread(thread), kept.of_thread(thread),
               panels.of_thread(thread));
      if (streamed_) kernels_.finish_streaming();
    }
  }

 private:
  using Piece = typename FftWork<T>::Piece;

  /// Pairs that are transformed together; if there are fewer pairs, the last one is repeated.
  struct Bundle {
    Index count;
    Piece pieces[most_fft_pairs];
    FftPair<T> pairs[most_fft_pairs];
  };

  void convolve(const Interval& pieces, T* tile, T* kept, T* panel) const {
    Bundle bundle{pieces.extent(), {}, {}};
    for (Index k = 0; k < bundle_; ++k) {
      const Index n = std::min(k, bundle.count - 1);
      bundle.pieces[k] = work_.piece(pieces.first + n);
      T* const place = panel + n * fft_line_pitch(work_.blocks);
      bundle.pairs[k].source =
          work_.inputs(bundle.pieces[k], place + FftBuffer::elements(work_.blocks.outputs()));
    }
    kernels_.transform_pairs(tables_.front(), bundle.pairs, tile, kept);
    for (std::size_t filter = 0; filter < filters_.size(); ++filter)
      convolve_with(filter, bundle, tile, kept, panel);
    for (const FftPair<T>& pair : bundle.pairs)
      if (pair.finished)
        empty_buffer(tables_.front(), pair.finished, {0, work_.blocks.pair()}, pair.finished_target,
                     kernels_.copy_aligned);
  }

  void convolve_with(std::size_t filter, Bundle& bundle, T* tile, T* kept, T* panel) const {
    bool buffered = false;
    for (Index k = 0; k < bundle.count; ++k) buffered |= leaves_caches(bundle.pieces[k], filter);
    for (Index k = 0; k < bundle_; ++k) {
      T* const place = panel + std::min(k, bundle.count - 1) * fft_line_pitch(work_.blocks);
      bundle.pairs[k].target =
          work_.wants_all(bundle.pieces[k]) && !buffered ? output(bundle.pieces[k], filter) : place;
      bundle.pairs[k].buffered = buffered;
      bundle.pairs[k].fetches_target = bundle.pairs[k].target != place;
    }
    const unsigned bad = kernels_.invert_pairs(tables_[filter], bundle.pairs, tile, kept);
    for (FftPair<T>& pair : bundle.pairs) pair.finished = nullptr;
    for (Index k = 0; k < bundle.count; ++k) {
      if ((bad >> k & 1) != 0)
        sum_directly(bundle.pieces[k], filter);
      else
        take(bundle.pieces[k], filter, bundle.pairs[k]);
    }
  }

  T* output(const Piece& piece, std::size_t filter) const {
    return work_.output(piece, piece.outputs.first) + Index(filter) * filter_pitch_;
  }
  /// Returns whether results are written to a buffer first and copied to the target with streaming
  /// stores.
  bool leaves_caches(const Piece& piece, std::size_t filter) const {
    return streamed_ && work_.wants_all(piece) &&
           reinterpret_cast<std::uintptr_t>(output(piece, filter)) % 64 == 0;
  }
  /// If results were written to the buffer, copies the results to the target, or lets the next
  /// inverse transform copy them.
  void take(const Piece& piece, std::size_t filter, FftPair<T>& pair) const {
    T* to = output(piece, filter);
    if (pair.target == to) return;
    if (leaves_caches(piece, filter)) {
      pair.finished = pair.target;
      pair.finished_target = to;
    } else if (pair.buffered) {
      empty_buffer(tables_.front(), pair.target, piece.dense(1), to, copy<T>);
    } else {
      const T* from = pair.target + piece.dense(work_.stride).first;
      for (Index o = 0; o < piece.outputs.extent(); ++o) to[o] = from[o * work_.stride];
    }
  }

  /// Sums tap by tap the outputs of a pair that contains NaN or Inf or whose transform overflows.
  void sum_directly(const Piece& piece, std::size_t filter) const {
    const Stencil<T>& stencil = filters_[filter];
    std::vector<Tap<T>> taps;
    for (Index k = 0; k < Index(stencil.taps.size()); ++k)
      if (stencil.taps[k] != 0 || stencil.multiply_zeros) taps.push_back({k, stencil.taps[k]});
    kernels_.sum_row(taps.data(), Index(taps.size()),
                     work_.input(piece, piece.dense(work_.stride).first), work_.stride, false,
                     output(piece, filter), piece.outputs.extent());
  }

  const std::vector<Stencil<T>>& filters_;
  FftWork<T> work_;
  const RowKernels<T>& kernels_;
  Index bundle_, filter_pitch_;
  bool streamed_;
  std::vector<FftTables<T>> tables_;  ///< tables of each filter; they differ in the spectrum
};

}  // namespace

template <class T>
void walk_fft_bank(const std::vector<Stencil<T>>& filters, const RowKernels<T>& kernels,
                   FieldView<const T> source, FieldView<T> target, const Anchor& anchor) {
  FftBankWalk<T>(filters, kernels, source, target, anchor).run();
}

template void walk_fft_bank(const std::vector<Stencil<float>>&, const RowKernels<float>&,
                            FieldView<const float>, FieldView<float>, const Anchor&);
template void walk_fft_bank(const std::vector<Stencil<double>>&, const RowKernels<double>&,
                            FieldView<const double>, FieldView<double>, const Anchor&);

}  // namespace stencil::cpu

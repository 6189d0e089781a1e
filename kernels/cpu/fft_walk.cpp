#include "kernels/cpu/fft_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/fft_columns.hpp"
#include "kernels/cpu/fft_packing.hpp"
#include "kernels/cpu/fft_valid_walk.hpp"
#include "kernels/cpu/fft_work.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

/// Overlap-save over all lines of a view, along x or along y. Each thread computes bundles of
/// pieces.
template <class T>
class FftWalk {
 public:
  FftWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
          FieldView<T> target, const Anchor& anchor, LongTransforms long_ones)
      : stencil_(stencil),
        target_(target),
        work_(stencil, source, target, anchor),
        kernels_(kernels),
        weights_(make_weights(stencil)),
        together_(fft_together(work_.blocks.points, work_.stride)),
        pairs_(kernels.fft_pairs * together_),
        bundle_(fft_bundle(work_.blocks, pairs_, sizeof(T), work_.along_x)),
        panel_pitch_(fft_panel_pitch(work_.blocks)),
        beside_tables_(together_ * fft_tile(work_.blocks.points, kernels.fft_pairs) *
                           Index(sizeof(T)) <=
                       largest_fft_beside_tables),
        tables_{work_.blocks.points,
                fft_leg(work_.blocks.points, stencil.fft->radices.front(), kernels.fft_pairs),
                work_.blocks.outputs() + work_.blocks.width - 1,
                work_.blocks.outputs(),
                stencil.fft->radices.data(),
                stencil.fft->twiddles.data(),
                stencil.fft->turns.data(),
                stencil.fft->spectrum.data(),
                fft_every(work_.stride),
                1,
                nullptr,
                !beside_tables_ && long_ones == LongTransforms::past_caches},
        packing_(tables_, stencil.fft->turns, together_, kernels.fft_pairs),
        streamed_(worth_streaming(double(points(target.extent)) * sizeof(T))),
        columns_(work_, kernels, source.row_pitch, target.row_pitch, streamed_) {
    for (Index k = 0; k < Index(stencil.taps.size()); ++k)
      if (stencil.taps[k] != 0 || stencil.multiply_zeros)
        taps_.push_back({k * (work_.along_x ? 1 : source.row_pitch), stencil.taps[k]});
  }

  void run() const {
    const Index bundles = work_.bundles(bundle_);
    std::vector<unsigned char> aside(weights_.wanted ? bundles : 0);
    run(bundles, aside.data());
    std::vector<Interval> some;
    for (Index n = 0; n < Index(aside.size()); ++n)
      if (aside[n] != 0) some.push_back(work_.bundle(n, bundle_));
    if (!some.empty()) walk_fft_valid(stencil_, kernels_, work_, columns_, tables_, target_, some);
  }

 private:
  using Piece = typename FftWork<T>::Piece;

  /// @param aside  set to 1 for bundles with missing points, which must be renormalized; these
  ///               bundles are not summed
  void run(Index bundles, unsigned char* aside) const {
    const int threads = int(std::min<Index>(omp_get_max_threads(), bundles));
    const Scratch<T> tiles(threads, together_ * fft_tile(work_.blocks.points, kernels_.fft_pairs));
    const Scratch<T> panels(
        threads, bundle_ * (work_.along_x ? fft_line_pitch(work_.blocks) : panel_pitch_));
    // a thread computes consecutive bundles, but few enough that every thread has work
    const Index share = std::clamp<Index>(bundles / (8 * threads), 1, 16);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index first = 0; first < bundles; first += share) {
      const int thread = omp_get_thread_num();
      const Interval some{first, std::min(bundles, first + share)};
      if (work_.along_x) {
        lines(some, tiles.of_thread(thread), panels.of_thread(thread), aside);
      } else {
        columns(some, tiles.of_thread(thread), panels.of_thread(thread), aside);
      }
      if (streamed_) kernels_.finish_streaming();
    }
  }

  bool is_whole(const Interval& pieces) const {
    bool whole = weights_.keep_whole();
    for (Index n = pieces.first; n < pieces.last && whole; ++n) {
      const Piece piece = work_.piece(n);
      whole = kernels_.all_finite(work_.input(piece, 0), piece.inputs);
    }
    return whole;
  }

  void lines(const Interval& bundles, T* tile, T* panel, unsigned char* aside) const {
    const Index end = work_.bundle(bundles.last - 1, bundle_).last;
    FftPair<T> pairs[2 * most_fft_pairs] = {};
    for (Index n = bundles.first * bundle_; n < end; n += bundle_) {
      const Index count = std::min(bundle_, end - n);
      if (weights_.wanted && !is_whole({n, n + count})) {
        aside[n / bundle_] = 1;
        continue;
      }
      bool buffered = false;
      for (Index k = 0; k < count; ++k) buffered |= leaves_caches(work_.piece(n + k));
      for (Index k = 0; k < count; ++k) {
        T* place = panel + k * fft_line_pitch(work_.blocks);
        const Index next = n + k + bundle_;
        pairs[k].source =
            work_.inputs(work_.piece(n + k), place + FftBuffer::elements(tables_.outputs));
        pairs[k].target = place_for(work_.piece(n + k), buffered, place);
        pairs[k].buffered = buffered;
        pairs[k].fetches_target = !tables_.past_caches && pairs[k].target != place;
        pairs[k].next = beside_tables_ && next < end ? work_.input(work_.piece(next), 0) : nullptr;
      }
      const unsigned bad = convolve(pairs, count, tile);
      for (Index k = 0; k < count; ++k) {
        const Piece piece = work_.piece(n + k);
        if ((bad >> k & 1) != 0) {
          kernels_.sum_row(taps_.data(), Index(taps_.size()),
                           work_.input(piece, piece.dense(work_.stride).first), work_.stride, false,
                           work_.output(piece, piece.outputs.first), piece.outputs.extent());
        } else if (work_.stride > 1) {
          const bool packed = packing_.packs(count);
          packing_.copy_strided(pairs[packed ? k % kernels_.fft_pairs : k].target, packed, k,
                                piece.dense(work_.stride).first, work_.stride,
                                piece.outputs.extent(), work_.output(piece, piece.outputs.first));
        } else {
          take(piece, pairs[k]);
        }
      }
    }
    for (const FftPair<T>& pair : pairs)
      if (pair.finished)
        empty_buffer(tables_, pair.finished, {0, work_.blocks.pair()}, pair.finished_target,
                     kernels_.copy_aligned);
  }

  /// Returns whether results are written to a buffer first and copied to the target with streaming
  /// stores.
  bool leaves_caches(const Piece& piece) const {
    const T* to = work_.output(piece, piece.outputs.first);
    return streamed_ && !tables_.past_caches && work_.wants_all(piece) &&
           reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
  }
  /// Returns the address to which results are written first: `place` if they are copied to the
  /// target later.
  T* place_for(const Piece& piece, bool buffered, T* place) const {
    return work_.wants_all(piece) && !buffered ? work_.output(piece, piece.outputs.first) : place;
  }
  /// If results were written to the buffer, copies the results to the target, or lets the next
  /// transform copy them.
  void take(const Piece& piece, FftPair<T>& pair) const {
    T* to = work_.output(piece, piece.outputs.first);
    if (pair.target == to) return;
    if (leaves_caches(piece)) {
      pair.finished = pair.target;
      pair.finished_target = to;
    } else if (pair.buffered) {
      empty_buffer(tables_, pair.target, piece.dense(1), to, copy<T>);
    } else {
      std::copy_n(pair.target + piece.dense(1).first, piece.outputs.extent(), to);
    }
  }

  /// Transforms at most `pairs_` pairs; if there are fewer pairs, the last one is repeated.
  ///
  /// @return  bit k is 1 if pair k must be summed directly
  unsigned convolve(FftPair<T> (&pairs)[2 * most_fft_pairs], Index count, T* tile) const {
    const bool packed = packing_.packs(count);
    for (Index k = count; k < (packed ? pairs_ : kernels_.fft_pairs); ++k) {
      pairs[k].source = pairs[count - 1].source;
      pairs[k].target = pairs[count - 1].target;
      pairs[k].buffered = pairs[count - 1].buffered;
      pairs[k].fetches_target = false;
      pairs[k].next = nullptr;
    }
    const unsigned bad = packed ? kernels_.decimate_pairs(packing_.tables(), pairs, tile)
                                : kernels_.convolve_pairs(tables_, pairs, tile);
    for (FftPair<T>& pair : pairs) pair.finished = nullptr;
    return bad;
  }

  /// Computes bundles of columns. Columns are transposed to lines of the panel; the columns of a
  /// bundle fill whole cache lines.
  void columns(const Interval& bundles, T* tile, T* panel, unsigned char* aside) const {
    for (Index n = bundles.first; n < bundles.last; ++n) {
      const Interval pieces = work_.bundle(n, bundle_);
      const Piece piece = work_.piece(pieces.first);
      if (weights_.wanted &&
          !(weights_.keep_whole() && columns_.all_finite(piece, pieces.extent()))) {
        aside[n] = 1;
        continue;
      }
      columns_.fill(piece, pieces.extent(), panel);
      const std::uint64_t bad = convolve_panel(pieces.extent(), tile, panel);
      empty_panel(piece, pieces.extent(), panel);
      sum_bad_columns(piece, pieces.extent(), bad);
    }
  }

  std::uint64_t convolve_panel(Index columns, T* tile, T* panel) const {
    std::uint64_t bad = 0;
    for (Index n = 0; n < columns; n += pairs_) {
      FftPair<T> pairs[2 * most_fft_pairs] = {};
      const Index count = std::min<Index>(pairs_, columns - n);
      for (Index k = 0; k < count; ++k)
        pairs[k].source = pairs[k].target = panel + (n + k) * panel_pitch_;
      bad |= std::uint64_t(convolve(pairs, count, tile)) << n;
    }
    return bad;
  }

  void empty_panel(const Piece& piece, Index columns, T* panel) const {
    const Index first = piece.dense(work_.stride).first, outputs = piece.outputs.extent();
    if (work_.stride > 1) {
      // The last columns are copied first: their results are in the lines of the first columns, and
      // each element of these lines is read before it is overwritten.
      for (Index k = columns - 1; k >= 0; --k) {
        const Index group = k / pairs_ * pairs_;
        const bool packed = packing_.packs(std::min<Index>(pairs_, columns - group));
        const Index result = packed ? group + (k - group) % kernels_.fft_pairs : k;
        packing_.copy_strided(panel + result * panel_pitch_, packed, k - group, first, work_.stride,
                              outputs, panel + k * panel_pitch_);
      }
    }
    columns_.empty(piece, columns, panel + (work_.stride > 1 ? 0 : first));
  }

  /// Sums tap by tap the pairs that contain NaN or Inf or whose transform overflows.
  /// @param bad  bit k is 1 if column k must be summed
  void sum_bad_columns(const Piece& piece, Index columns, std::uint64_t bad) const {
    for (Index k = 0; k < columns; ++k) {
      Index run = 0;
      while (k + run < columns && (bad >> (k + run) & 1) != 0) ++run;
      if (run > 0) sum_columns(piece, k, run);
      k += run;
    }
  }
  void sum_columns(const Piece& piece, Index first, Index columns) const {
    const Index step = work_.column_step();
    for (Index o = piece.outputs.first; o < piece.outputs.last; ++o)
      kernels_.sum_row(taps_.data(), Index(taps_.size()),
                       work_.input(piece, o * work_.stride - piece.begin) + first * step, step,
                       false, work_.output(piece, o) + first, columns);
  }

  const Stencil<T>& stencil_;
  FieldView<T> target_;
  FftWork<T> work_;
  const RowKernels<T>& kernels_;
  Weights<T> weights_;
  int together_, pairs_;  ///< pairs per inverse transform, and pairs that are transformed together
  Index bundle_, panel_pitch_;
  /// Whether inputs that are prefetched during a transform remain in a cache until the next
  /// transform reads them.
  bool beside_tables_;
  FftTables<T> tables_;
  FftPacking<T> packing_;
  bool streamed_;  ///< use streaming stores for results if their alignment allows it
  FftColumns<T> columns_;
  std::vector<Tap<T>> taps_;
};

}  // namespace

template <class T>
void walk_fft(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target, const Anchor& anchor, LongTransforms long_ones) {
  FftWalk<T>(stencil, kernels, source, target, anchor, long_ones).run();
}

template void walk_fft(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                       FieldView<float>, const Anchor&, LongTransforms);
template void walk_fft(const Stencil<double>&, const RowKernels<double>&, FieldView<const double>,
                       FieldView<double>, const Anchor&, LongTransforms);

}  // namespace stencil::cpu

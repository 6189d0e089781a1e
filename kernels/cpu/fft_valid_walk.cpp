#include "kernels/cpu/fft_valid_walk.hpp"

#include <omp.h>

#include <algorithm>

#include "kernels/cpu/fft_valid.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/sum_pieces.hpp"

namespace stencil::cpu {
namespace {

/// Number of outputs before striding in a cell; a cell is summed directly as a whole.
constexpr Index cell = 32;

Index cells_of(const FftBlocks& blocks) {
  return (blocks.pair() + cell - 1) / cell;
}

template <class T>
class FftValidWalk {
 public:
  FftValidWalk(const Stencil<T>& stencil, const RowKernels<T>& kernels, const FftWork<T>& work,
               const FftColumns<T>& columns, const FftTables<T>& tables, FieldView<T> target)
      : stencil_(stencil),
        kernels_(kernels),
        work_(work),
        columns_(columns),
        tables_(tables),
        absolute_(tables),
        target_(target),
        valid_(stencil),
        cells_(cells_of(work.blocks)) {
    absolute_.spectrum = stencil.fft->absolute.data();
  }

  /// Computes a limited number of bundles at a time, so that the list of outputs to be summed
  /// directly stays short.
  void run(const std::vector<Interval>& bundles) const {
    constexpr Index most_cells = 1 << 16;
    Index pieces = 1;
    for (const Interval& bundle : bundles) pieces = std::max(pieces, bundle.extent());
    const Index count = Index(bundles.size()),
                share = std::max<Index>(omp_get_max_threads(), most_cells / (pieces * cells_));
    for (Index n = 0; n < count; n += share)
      run(std::vector(bundles.begin() + n, bundles.begin() + std::min(count, n + share)), pieces);
  }

 private:
  using Piece = typename FftWork<T>::Piece;

  void run(const std::vector<Interval>& bundles, Index most) const {
    std::vector<Box> pieces;
    Index widest = 0;
    for (const std::vector<Box>& some : renormalize(bundles, most))
      for (const Box& piece : some) {
        pieces.push_back(piece);
        widest = std::max(widest, piece.extent()[x_axis]);
      }
    sum_pieces(stencil_, kernels_, work_.under_outputs(), target_, pieces, widest);
  }

  /// Memory of one thread.
  struct Room {
    T *tile, *panel, *marks, *shares;
    int* counts;             ///< counts of FftValid::count
    unsigned char* reached;  ///< `[pieces of a bundle, cells]`: 1 for a cell to sum directly
  };

  /// @param most  number of pieces of the largest bundle
  /// @return      the outputs that must be summed directly, for each bundle
  std::vector<std::vector<Box>> renormalize(const std::vector<Interval>& bundles,
                                            Index most) const {
    const Index count = Index(bundles.size()), reach = work_.blocks.reach();
    const int threads = int(std::min<Index>(omp_get_max_threads(), count));
    const Scratch<T> tiles(threads, fft_tile(work_.blocks.points, kernels_.fft_pairs));
    const Scratch<T> panels(threads, most * columns_.pitch());
    const Scratch<T> marks(threads, reach), shares(threads, valid_.mixed() ? reach : 0);
    const Scratch<int> counts(threads, work_.blocks.pair() + reach);
    const Scratch<unsigned char> reached(threads, most * cells_);
    std::vector<std::vector<Box>> left(count);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (Index n = 0; n < count; ++n) {
      const int thread = omp_get_thread_num();
      const Room room{tiles.of_thread(thread),  panels.of_thread(thread),
                      marks.of_thread(thread),  shares.of_thread(thread),
                      counts.of_thread(thread), reached.of_thread(thread)};
      if (work_.along_x)
        lines(bundles[n], room, left[n]);
      else
        columns(bundles[n], room, left[n]);
      kernels_.finish_streaming();
    }
    return left;
  }

  void lines(const Interval& pieces, const Room& room, std::vector<Box>& left) const {
    for (Index n = pieces.first; n < pieces.last; ++n) {
      const Piece piece = work_.piece(n);
      if (piece.outputs.empty()) continue;
      std::copy_n(work_.input(piece, 0), piece.inputs, room.panel);
      std::fill(room.panel + piece.inputs, room.panel + work_.blocks.reach(), T(0));
      sum(room.panel, room, room.reached);
      const T* from = room.panel + piece.dense(work_.stride).first;
      T* to = work_.output(piece, piece.outputs.first);
      for (Index o = 0; o < piece.outputs.extent(); ++o) to[o] = from[o * work_.stride];
      add_pieces(piece, 1, room.reached, left);
    }
  }

  void columns(const Interval& pieces, const Room& room, std::vector<Box>& left) const {
    const Piece piece = work_.piece(pieces.first);
    if (piece.outputs.empty()) return;
    const Index first = piece.dense(work_.stride).first;
    columns_.fill(piece, pieces.extent(), room.panel);
    for (Index k = 0; k < pieces.extent(); ++k) {
      T* line = room.panel + k * columns_.pitch();
      sum(line, room, room.reached + k * cells_);
      for (Index o = 0; o < piece.outputs.extent(); ++o) line[o] = line[first + o * work_.stride];
    }
    columns_.empty(piece, pieces.extent(), room.panel);
    add_pieces(piece, pieces.extent(), room.reached, left);
  }

  /// Computes the outputs of one pair before striding; they overwrite its inputs.
  ///
  /// @param reached  set to 1 for each cell that must be summed directly, else to 0
  void sum(T* line, const Room& room, unsigned char* reached) const {
    const Index reach = work_.blocks.reach();
    std::fill_n(reached, cells_, 0);
    const bool whole = kernels_.all_finite(line, reach);
    if (!whole) {
      kernels_.mark_valid(line, room.marks, reach);
      kernels_.copy_valid(line, line, reach);
      valid_.count(room.marks, reach, 1, work_.blocks.pair(), room.counts);
      if (valid_.mixed()) std::copy_n(room.marks, reach, room.shares);
    }
    T* const both[] = {line, room.marks};
    if (convolve(tables_, both, whole ? 1 : 2, room.tile) || !valid_.keeps_whole()) {
      std::fill_n(reached, cells_, 1);  // an input is infinite, or the transform overflows
      return;
    }
    if (whole) return;
    if (valid_.mixed()) convolve(absolute_, &room.shares, 1, room.tile);
    valid_.rescale(kernels_, line, room.marks, valid_.mixed() ? room.shares : nullptr, room.counts,
                   work_.blocks.pair(), reached, cell);
  }

  /// @return  whether a transform overflows
  bool convolve(const FftTables<T>& tables, T* const* lines, Index count, T* tile) const {
    unsigned bad = 0;
    for (Index n = 0; n < count; n += kernels_.fft_pairs) {
      FftPair<T> pairs[most_fft_pairs] = {};
      for (Index k = 0; k < kernels_.fft_pairs; ++k)
        pairs[k].source = pairs[k].target = lines[std::min(n + k, count - 1)];
      bad |= kernels_.convolve_pairs(tables, pairs, tile);
    }
    return bad != 0;
  }

  /// Adds the outputs in the cells that must be summed directly. Cells that are adjacent along x
  /// are added as one box.
  ///
  /// @param piece  the first of `count` adjacent pieces
  void add_pieces(const Piece& piece, Index count, const unsigned char* reached,
                  std::vector<Box>& left) const {
    const auto is_reached = [&](Index k, Index c) { return reached[k * cells_ + c] != 0; };
    const auto add = [&](const Interval& across, const Interval& cells) {
      const Interval dense{piece.begin + cells.first * cell, piece.begin + cells.last * cell};
      const Box box = work_.box(piece, dense, across);
      if (!box.empty()) left.push_back(box);
    };
    for (Index c = 0; c < cells_; ++c)
      for (Index k = 0, end = 0; k < count; k = end + 1) {
        for (end = k; end < count && is_reached(end, c);) ++end;
        if (end == k) continue;
        Index last = c + 1;
        while (count == 1 && last < cells_ && is_reached(k, last)) ++last;
        add({k, end}, {c, last});
        if (count == 1) c = last - 1;
      }
  }

  const Stencil<T>& stencil_;
  const RowKernels<T>& kernels_;
  const FftWork<T>& work_;
  const FftColumns<T>& columns_;
  FftTables<T> tables_, absolute_;
  FieldView<T> target_;
  FftValid<T> valid_;
  Index cells_;
};

}  // namespace

Index fft_valid_scratch(const FftBlocks& blocks) {
  return 3 * blocks.reach() + blocks.pair() + cells_of(blocks) * fft_most_bundle / 4;
}

template <class T>
void walk_fft_valid(const Stencil<T>& stencil, const RowKernels<T>& kernels, const FftWork<T>& work,
                    const FftColumns<T>& columns, const FftTables<T>& tables, FieldView<T> target,
                    const std::vector<Interval>& bundles) {
  FftValidWalk<T>(stencil, kernels, work, columns, tables, target).run(bundles);
}

template void walk_fft_valid(const Stencil<float>&, const RowKernels<float>&, const FftWork<float>&,
                             const FftColumns<float>&, const FftTables<float>&, FieldView<float>,
                             const std::vector<Interval>&);
template void walk_fft_valid(const Stencil<double>&, const RowKernels<double>&,
                             const FftWork<double>&, const FftColumns<double>&,
                             const FftTables<double>&, FieldView<double>,
                             const std::vector<Interval>&);

}  // namespace stencil::cpu

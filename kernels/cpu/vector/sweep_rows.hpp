#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Largest number of tap rows of one pass, limited by the registers for sums; taller masks take
/// several passes.
constexpr int most_tap_rows = vector_registers == 32 ? 9 : 6;

/// Number of adjacent vectors of a pass over this number of tap rows, chosen so that their sums,
/// one input for each vector, and one tap fit into the registers.
constexpr int sweep_vectors(int tap_rows) {
  constexpr int of_32[] = {8, 8, 6, 5, 4, 4, 3, 3, 3};
  constexpr int of_16[] = {8, 4, 3, 2, 2, 2};
  return vector_registers == 32 ? of_32[tap_rows - 1] : of_16[tap_rows - 1];
}

/// One pass down the input rows of a block of columns, for some adjacent tap rows.
template <class T>
struct SweepPass {
  const RowSweep<T>* sweep;
  Index x;
  const T* taps;      ///< first tap of the pass
  T* state;           ///< unfinished sums of the block; the vectors of one sum are adjacent
  const T* entering;  ///< sums of the previous pass for each input row; if null, +0
  T* leaving;         ///< destination of the sums of this pass; null if the sums are results
  bool stream;
  Index ahead;  ///< number of elements from x to inputs that are read soon, for prefetching
};

/// Sum y of a pass contains the products with the first y of its tap rows. For every input row, the
/// products with the next tap row are added to each sum. Then each sum moves to the next index, and
/// the last sum is complete. Thus an input is loaded once for all tap rows, and every sum adds its
/// taps in row-major order.
template <class P, class T, int tap_rows, int vectors, bool skip_zeros>
struct SweepBlock {
  typename P::Vector sum[tap_rows][vectors] = {};

  [[gnu::always_inline]] void add_row(const T* from, const T* taps, Index width, Index across) {
    for (Index i = 0; i < width; ++i, from += across) {
      typename P::Vector data[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) data[v] = P::load(from + v * P::lanes);
#pragma GCC unroll 9
      for (int y = 0; y < tap_rows; ++y) {
        const T value = taps[y * width + i];
        if constexpr (skip_zeros) {
          if (value == 0) continue;
        }
        const auto tap = P::splat(value);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) sum[y][v] = P::fused(tap, data[v], sum[y][v]);
      }
    }
  }

  /// Moves every sum to the next tap row, and sets the first sum to `entering` or, if it is null,
  /// to +0.
  [[gnu::always_inline]] void move_on(const T* entering) {
#pragma GCC unroll 9
    for (int y = tap_rows - 1; y > 0; --y) {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[y][v] = sum[y - 1][v];
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v)
      sum[0][v] = entering ? P::load(entering + v * P::lanes) : typename P::Vector{};
  }

  [[gnu::always_inline]] void load(const T* state, int first) {
#pragma GCC unroll 9
    for (int y = 0; y < tap_rows; ++y) {
      if (y < first) continue;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[y][v] = P::load(state + (y * vectors + v) * P::lanes);
    }
  }

  [[gnu::always_inline]] void store(T* state, int first) const {
#pragma GCC unroll 9
    for (int y = 0; y < tap_rows; ++y) {
      if (y < first) continue;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) P::store(state + (y * vectors + v) * P::lanes, sum[y][v]);
    }
  }

  [[gnu::always_inline]] void put_results(T* target, bool stream) const {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      put<P>(target + v * P::lanes, sum[tap_rows - 1][v], stream);
    }
  }
};

/// Runs one pass; its sums are loaded from the state and stored there.
template <class P, class T, int tap_rows, int vectors, bool skip_zeros>
void sweep_pass(const SweepPass<T>& pass) {
  const RowSweep<T>& sweep = *pass.sweep;
  const int first = pass.entering == nullptr;  // sum 0 of the first pass is always +0
  T* const state = pass.state;
  SweepBlock<P, T, tap_rows, vectors, skip_zeros> block;
  if (!sweep.begins) block.load(state, first);
  const T* entering = pass.entering;
  T* leaving = pass.leaving;
  T* target = sweep.target + pass.x;
  for (Index r = 0; r < sweep.count; ++r) {
    const T* from = sweep.rows[r] + pass.x;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(from + pass.ahead + v * P::lanes, 0, 3);
    block.add_row(from, pass.taps, sweep.width, sweep.across);
    if (leaving != nullptr) {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        P::store(leaving + v * P::lanes, block.sum[tap_rows - 1][v]);
      leaving += vectors * P::lanes;
    } else if (r >= sweep.first) {
      block.put_results(target, pass.stream);
      target += sweep.pitch;
    }
    block.move_on(entering);
    if (entering != nullptr) entering += vectors * P::lanes;
  }
  block.store(state, first);
}

template <class T>
using SweepPassFunction = void (*)(const SweepPass<T>&);

/// Returns the pass for this number of tap rows and of vectors. The number of vectors is 1, or
/// sweep_vectors() of this or of the next larger number of tap rows, or 0 for a pass that computes
/// one value at a time.
template <class T, bool skip_zeros, int tap_rows = most_tap_rows>
SweepPassFunction<T> sweep_pass_of(Index wanted, int vectors) {
  constexpr int own = sweep_vectors(tap_rows);
  constexpr int of_higher = sweep_vectors(tap_rows < most_tap_rows ? tap_rows + 1 : tap_rows);
  if (wanted == tap_rows) {
    if (vectors == 0) return sweep_pass<Single<T>, T, tap_rows, 1, skip_zeros>;
    if (vectors == 1) return sweep_pass<Pack<T>, T, tap_rows, 1, skip_zeros>;
    if (vectors == own) return sweep_pass<Pack<T>, T, tap_rows, own, skip_zeros>;
    return sweep_pass<Pack<T>, T, tap_rows, of_higher, skip_zeros>;
  }
  if constexpr (tap_rows > 1) return sweep_pass_of<T, skip_zeros, tap_rows - 1>(wanted, vectors);
  return nullptr;
}

/// Selects the passes of a mask, and applies them to all blocks of columns.
template <class T>
class RowSweeper {
  using P = Pack<T>;

 public:
  explicit RowSweeper(const RowSweep<T>& sweep)
      : sweep_(sweep),
        passes_((sweep.height + most_tap_rows - 1) / most_tap_rows),
        tap_rows_(sweep.height / passes_),
        higher_(sweep.height % passes_),
        vectors_(sweep_vectors(int(tap_rows_ + (higher_ > 0)))),
        state_(sweep.state) {
    for (int more = 0; more < (higher_ > 0 ? 2 : 1); ++more) {
      wide_[more] = pass_of(tap_rows_ + more, vectors_);
      narrow_[more] = pass_of(tap_rows_ + more, sweep.n < P::lanes ? 0 : 1);
    }
  }

  /// Computes whole blocks, then single vectors, and at the ends of a row vectors that overlap
  /// others, as cover_row does.
  void run() {
    // rows are streamed only if all of them have the same alignment
    const bool aligned_alike = sweep_.pitch * Index(sizeof(T)) % 64 == 0;
    const StreamedPart part =
        sweep_.stream && aligned_alike ? streamed_part(sweep_.target, sweep_.n) : StreamedPart{};
    const Index n = sweep_.n, wide = vectors_ * P::lanes;
    if (n < P::lanes) {
      for (Index x = 0; x < n; ++x) block(x, 1, false);
      return;
    }
    Index x = 0;
    for (; x + P::lanes <= part.from; x += P::lanes) block(x, 1, false);
    if (x < part.from) block(part.from - P::lanes, 1, false);
    x = part.from;
    for (; x + wide <= n; x += wide) block(x, vectors_, x + wide <= part.to);
    for (; x + P::lanes <= n; x += P::lanes) block(x, 1, x + P::lanes <= part.to);
    if (x < n) block(n - P::lanes, 1, false);
  }

 private:
  SweepPassFunction<T> pass_of(Index tap_rows, int vectors) const {
    return sweep_.skip_zeros ? sweep_pass_of<T, true>(tap_rows, vectors)
                             : sweep_pass_of<T, false>(tap_rows, vectors);
  }

  /// Runs all passes over one block of columns. Each pass leaves its sums in a buffer for the next
  /// pass.
  void block(Index x, int vectors, bool stream) {
    // sums that one pass leaves for the next one
    alignas(64) T buffers[2][most_sweep * most_vectors * P::lanes];
    const Index sum_size = sweep_.n < P::lanes ? 1 : vectors * P::lanes;
    const Index ahead = x + fetch < sweep_.n ? fetch : fetch - sweep_.n + sweep_.ahead;
    Index done = 0;
    for (Index p = 0; p < passes_; ++p) {
      const int more = p < higher_;
      const bool last = p + 1 == passes_;
      const SweepPass<T> pass{&sweep_,
                              x,
                              sweep_.taps + done * sweep_.width,
                              state_ + done * sum_size,
                              p == 0 ? nullptr : buffers[p % 2],
                              last ? nullptr : buffers[(p + 1) % 2],
                              stream,
                              ahead};
      (vectors > 1 ? wide_ : narrow_)[more](pass);
      done += tap_rows_ + more;
    }
    state_ += sweep_.height * sum_size;
  }

  static constexpr int most_vectors = 4;  ///< vectors of a block of a mask with several passes

  static constexpr Index fetch = 8 * P::lanes;  ///< distance at which inputs are prefetched

  const RowSweep<T>& sweep_;
  Index passes_, tap_rows_, higher_;  ///< the first `higher_` passes have tap_rows_ + 1 tap rows
  int vectors_;
  T* state_;
  SweepPassFunction<T> wide_[2] = {}, narrow_[2] = {};
};

/// Implements RowKernels::sweep_rows.
template <class T>
void sweep_rows(const RowSweep<T>& sweep) {
  RowSweeper<T>(sweep).run();
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

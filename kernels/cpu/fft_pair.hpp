#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/fft/fft_eight.hpp"

namespace stencil::cpu {

/// The tables of FftPlan as plain pointers, for kernels that must not call functions of the
/// standard library.
template <class T>
struct FftTables {
  Index points;
  Index leg;              ///< elements from leg to leg of the first pass: fft_leg
  Index inputs, outputs;  ///< of one block
  const int* radices;
  const T* twiddles;
  const FftEight<T>* turns;
  const FftEight<T>* spectrum;
  int every = 1;     ///< fft_every
  int together = 1;  ///< fft_together
  /// With `together` > 1: the turns of the sequences in the order in which their lanes are packed.
  const FftEight<T>* packed_turns = nullptr;
  /// Tables are fetched past the second-level cache. For transforms from least_fft_in_memory on,
  /// the points of the first pass are written to memory past all caches.
  bool past_caches = false;
};

/// The layout of a pair's outputs in a buffer from which they are copied past the caches: with a
/// gap after each leg of the last pass. Legs and blocks are pages apart otherwise, so that all
/// writes of a butterfly would fall into one set of the first-level cache. Transforms that are
/// larger than the second-level cache have no gaps, which made them slower.
class FftBuffer {
 public:
  FftBuffer(Index points, int radix, Index outputs)
      : outputs_(outputs),
        leg_bits_(__builtin_ctzll(points / radix)),
        gap_(points <= most_points ? most_gap : 0) {}

  Index gap() const { return gap_; }
  /// Where output `k` of a block lies in it.
  Index in_block(Index k) const { return k + (k >> leg_bits_) * gap_; }
  /// Where the second block begins.
  Index second() const { return outputs_ + most_legs * gap_ + gap_ / 2; }
  /// Where output `k` of the pair lies.
  Index at(Index k) const { return k < outputs_ ? in_block(k) : second() + in_block(k - outputs_); }
  /// How many outputs lie side by side from output `k` on.
  Index run(Index k) const {
    const Index within = k < outputs_ ? k : k - outputs_, leg = Index{1} << leg_bits_;
    const Index to_leg = leg - (within & (leg - 1)), to_end = outputs_ - within;
    return to_leg < to_end ? to_leg : to_end;
  }
  /// Elements of a buffer.
  ///
  /// @param outputs  of one block
  static Index elements(Index outputs) {
    return 2 * (outputs + most_legs * most_gap) + most_gap / 2;
  }

 private:
  static constexpr Index most_gap = 32, most_legs = 8, most_points = 1 << 16;

  Index outputs_;  ///< of one block
  int leg_bits_;   ///< outputs of a leg are two to the power of this
  Index gap_;
};

/// One pair of blocks: FftBlocks::reach() inputs, and FftBlocks::pair() outputs, which may
/// overwrite the inputs. Also the inputs of other pairs to prefetch and their outputs to copy while
/// this pair is computed; either may be null.
template <class T>
struct FftPair {
  const T* source;
  T* target;
  bool buffered;        ///< `target` is an FftBuffer; the same of all pairs transformed at once
  bool fetches_target;  ///< `target` may be in no cache yet, and stays in one once it is fetched
  const T* next;        ///< inputs of a later pair, prefetched
  const T* finished;    ///< FftBuffer of an earlier pair: copied before `target` is written
  T* finished_target;   ///< where they go, past the caches; aligned to 64 bytes; call
                        ///< finish_streaming afterwards
};

/// Most pairs that any vector extension transforms at once.
inline constexpr int most_fft_pairs = 2;

/// Elements from leg to leg of the first pass over `points`, with padding: adjacent legs would
/// compete for the same sets of a cache.
///
/// @param pairs  transformed at once
inline Index fft_leg(Index points, int radix, int pairs) {
  return 2 * pairs * (points / radix) + 64;
}

/// Elements of the memory in which `pairs` pairs are transformed.
inline Index fft_tile(Index points, int pairs) {
  return 2 * pairs * points + 8 * 64;
}

/// If a transform has more bytes than this, its tables and the inputs and results of other pairs
/// evict it from the second-level cache.
inline constexpr Index largest_fft_beside_tables = 3 << 17;
/// If a transform has at least this number of bytes, and several threads share a cache, little of
/// it is still cached when the second pass over all points begins. Its places then need not be
/// fetched before they are written. Measured with 32 MiB for two threads.
inline constexpr Index least_fft_in_memory = 8 << 20;

/// Elements of the transforms of `pairs` pairs.
inline Index fft_kept(Index points, int pairs) {
  return 2 * pairs * points;
}

}  // namespace stencil::cpu

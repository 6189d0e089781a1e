#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/fft/fft_eight.hpp"

namespace stencil::cpu {

/// The tables of FftPlan as pointers, for kernels that must not call functions of the standard
/// library.
template <class T>
struct FftTables {
  Index points;
  Index leg;              ///< number of elements between two legs of the first pass, see fft_leg
  Index inputs, outputs;  ///< numbers of inputs and outputs of one block
  const int* radices;
  const T* twiddles;
  const FftEight<T>* turns;
  const FftEight<T>* spectrum;
  int every = 1;     ///< see fft_every
  int together = 1;  ///< see fft_together
  /// If `together` > 1: the turns of the sequences, in the order in which their lanes are packed.
  const FftEight<T>* packed_turns = nullptr;
  /// Whether tables are fetched without filling the second-level cache. If so, transforms of
  /// least_fft_in_memory bytes or more also write the points of the first pass with streaming
  /// stores.
  bool past_caches = false;
};

/// Layout of the outputs of a pair in a buffer, from which they are copied with streaming stores.
/// There is a gap after each leg of the last pass. Without gaps, legs and blocks are a multiple of
/// a page apart, so that all stores of a butterfly use one set of the first-level cache. Transforms
/// larger than the second-level cache have no gaps, because gaps made them slower.
class FftBuffer {
 public:
  FftBuffer(Index points, int radix, Index outputs)
      : outputs_(outputs),
        leg_bits_(__builtin_ctzll(points / radix)),
        gap_(points <= most_points ? most_gap : 0) {}

  Index gap() const { return gap_; }
  /// Offset of output `k` of a block in the block.
  Index in_block(Index k) const { return k + (k >> leg_bits_) * gap_; }
  /// Offset of the second block.
  Index second() const { return outputs_ + most_legs * gap_ + gap_ / 2; }
  /// Offset of output `k` of the pair.
  Index at(Index k) const { return k < outputs_ ? in_block(k) : second() + in_block(k - outputs_); }
  /// Number of adjacent outputs from output `k` on.
  Index run(Index k) const {
    const Index within = k < outputs_ ? k : k - outputs_, leg = Index{1} << leg_bits_;
    const Index to_leg = leg - (within & (leg - 1)), to_end = outputs_ - within;
    return to_leg < to_end ? to_leg : to_end;
  }
  /// Number of elements of a buffer.
  ///
  /// @param outputs  outputs of one block
  static Index elements(Index outputs) {
    return 2 * (outputs + most_legs * most_gap) + most_gap / 2;
  }

 private:
  static constexpr Index most_gap = 32, most_legs = 8, most_points = 1 << 16;

  Index outputs_;  ///< number of outputs of one block
  int leg_bits_;   ///< log2 of the outputs of a leg
  Index gap_;
};

/// One pair of blocks, with FftBlocks::reach() inputs and FftBlocks::pair() outputs. The outputs
/// may overwrite the inputs. While this pair is computed, the inputs of a later pair can be
/// prefetched and the outputs of an earlier pair copied; the corresponding pointers may be null.
template <class T>
struct FftPair {
  const T* source;
  T* target;
  bool buffered;        ///< `target` has the layout FftBuffer; equal for pairs transformed together
  bool fetches_target;  ///< prefetch `target`, which may be in no cache, before it is written
  const T* next;        ///< inputs of a later pair to prefetch
  const T* finished;    ///< FftBuffer of an earlier pair, to be copied before `target` is written
  T* finished_target;   ///< destination of that copy, by streaming stores; aligned to 64 bytes;
                        ///< call finish_streaming afterwards
};

/// Largest number of pairs that any vector extension transforms together.
inline constexpr int most_fft_pairs = 2;

/// Returns the number of elements between the starts of two legs of the first pass over `points`
/// points. The legs of a pass are `radix` equal parts of the points; a butterfly has one point of
/// each leg. The number includes padding, because adjacent legs would otherwise compete for the
/// same sets of a cache.
///
/// @param pairs  number of pairs that are transformed together
inline Index fft_leg(Index points, int radix, int pairs) {
  return 2 * pairs * (points / radix) + 64;
}

/// Number of elements of the memory in which `pairs` pairs are transformed.
inline Index fft_tile(Index points, int pairs) {
  return 2 * pairs * points + 8 * 64;
}

/// Size in bytes above which a transform does not stay in the second-level cache, because its
/// tables and the inputs and results of other pairs evict it.
inline constexpr Index largest_fft_beside_tables = 3 << 17;
/// Least size in bytes of a large transform. When the second pass of a large transform begins, few
/// of its points are still in the cache that several threads share. It is then useless to prefetch
/// the elements that the first pass writes. The value was measured on a cache of 32 MiB that two
/// threads share.
inline constexpr Index least_fft_in_memory = 8 << 20;

/// Number of elements of the transforms of `pairs` pairs.
inline Index fft_kept(Index points, int pairs) {
  return 2 * pairs * points;
}

}  // namespace stencil::cpu

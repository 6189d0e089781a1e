#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/fft_eight.hpp"

namespace stencil::cpu {

/// What FftPlan holds, for kernels that may call no function of the standard library.
template <class T>
struct FftTables {
  Index points;
  Index leg;              ///< elements from leg to leg of the first pass: fft_leg
  Index inputs, outputs;  ///< of one block
  const int* radices;
  const T* twiddles;
  const FftEight<T>* turns;
  const FftEight<T>* spectrum;
};

/// One pair of blocks: FftBlocks::reach() inputs, and FftBlocks::pair() outputs, which may take the
/// place of the inputs. And what else is to be done meanwhile, so that memory is not idle while the
/// processor computes; either may be null.
template <class T>
struct FftPair {
  const T* source;
  T* target;
  const T* next;       ///< inputs that will be wanted after these: fetched
  const T* finished;   ///< outputs of an earlier pair: copied before `target` is written
  T* finished_target;  ///< past the caches to this place, aligned to 64 bytes; call
                       ///< finish_streaming
};

/// Most pairs that any vector extension transforms at once.
inline constexpr int most_fft_pairs = 2;

/// Elements from leg to leg of the first pass over `points`, whose legs would meet in the same sets
/// of a cache if they followed each other.
///
/// @param pairs  transformed at once
inline Index fft_leg(Index points, int radix, int pairs) {
  return 2 * pairs * (points / radix) + 64;
}

/// Elements of the memory in which `pairs` pairs are transformed.
inline Index fft_tile(Index points, int pairs) {
  return 2 * pairs * points + 8 * 64;
}

}  // namespace stencil::cpu

#pragma once

#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Row sums with a mask of few taps, computed in blocks of eight vectors.
///
/// The inputs of each tap begin one element after those of the tap before it. A load that crosses a
/// cache line takes two cycles of the first-level cache. The same vector can be made from two
/// adjacent vectors by a shift, which takes one cycle of another unit. Taps alternate between loads
/// and shifts, so that neither unit delays the multiply-adds.
template <class T>
struct ShiftedLine {
  using P = Pack<T>;
  static constexpr int vectors = 8;
  static constexpr Index wide = vectors * P::lanes;
  static constexpr int most_taps = 2 * P::lanes;
  static constexpr bool worthwhile = vector_bytes == 64;

  const T* taps;
  Index width;
  Index ahead;

  /// Number of inputs that a block reads, from its first input on.
  static constexpr Index reads(Index width) {
    return wide + (width + P::lanes - 2) / P::lanes * P::lanes;
  }

  [[gnu::always_inline]] void block(const T* from, T* to, bool streamed) const {
    typename P::Vector base[vectors + 2], sum[vectors] = {};
#pragma GCC unroll 16
    for (int v = 0; v <= vectors; ++v) base[v] = P::load(from + v * P::lanes);
    // masks of at most P::lanes + 1 taps do not need the last base vector
    base[vectors + 1] = width > P::lanes + 1 ? P::load(from + wide + P::lanes) : base[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(from + ahead + v * P::lanes, 0, 3);
    add<0>(from, base, sum);
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) put<P>(to + v * P::lanes, sum[v], streamed);
  }

 private:
  /// Adds tap `place` and all taps after it.
  template <int place>
  [[gnu::always_inline]] void add(const T* from, typename P::Vector* base,
                                  typename P::Vector* sum) const {
    if constexpr (place < most_taps) {
      if (place == width) return;
      if constexpr (place == P::lanes) {
#pragma GCC unroll 10
        for (int v = 0; v < vectors + 2; ++v) P::pin(base[v]);
        __asm__("" : "+r"(from));
      }
      constexpr int whole = place / P::lanes, shift = place % P::lanes;
      const auto tap = P::splat(taps[place]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        typename P::Vector data;
        if constexpr (shift == 0) {
          data = base[v + whole];
        } else if constexpr (shift % 2 == 1) {
          data = P::template shifted<shift>(base[v + whole], base[v + whole + 1]);
        } else {
          data = P::load(from + place + v * P::lanes);
        }
        sum[v] = P::fused(tap, data, sum[v]);
      }
      add<place + 1>(from, base, sum);
    }
  }
};

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

#pragma once

#include <utility>

#include "kernels/cpu/vector/fft_butterfly.hpp"
#include "kernels/fft/fft_eight.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Exchanges lanes of `a` whose index has bit `step` set with lanes of `b` whose index does not
/// have this bit set.
template <int step, class V, int... i>
[[gnu::always_inline]] inline void exchange(V& a, V& b, std::integer_sequence<int, i...>) {
  constexpr int lanes = sizeof...(i);
  const V low = __builtin_shufflevector(a, b, ((i & step) == 0 ? i : lanes + i - step)...);
  const V high = __builtin_shufflevector(a, b, ((i & step) == 0 ? i + step : lanes + i)...);
  a = low;
  b = high;
}

/// Transposes the square matrix whose row k is vector k, one bit of the row and lane indices at a
/// time.
template <int bit, class V, int lanes>
[[gnu::always_inline]] inline void exchange_all(V (&rows)[lanes]) {
  if constexpr (bit < lanes) {
#pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k)
      if ((k & bit) == 0)
        exchange<bit>(rows[k], rows[k + bit], std::make_integer_sequence<int, lanes>());
    exchange_all<2 * bit>(rows);
  }
}

/// Layout of groups of 8 adjacent elements in vectors. Depending on the length of a vector, it
/// holds the groups of two pairs or of one pair, or a group is divided into several vectors.
template <class T>
struct Octet {
  using P = Pack<T>;
  using V = typename P::Vector;
  using C = Complex<P>;
  static constexpr int pairs = P::lanes > 8 ? P::lanes / 8 : 1;
  static constexpr int parts = P::lanes > 8 ? 1 : 8 / P::lanes;
  static constexpr Index elements = 8 * pairs;
  /// Number of elements of one group of every pair in memory: its real parts, then its imaginary
  /// parts.
  static constexpr Index point = 2 * elements;

  static V load_vector(const T* from) { return *reinterpret_cast<const V*>(from); }
  static C load(const T* from) { return {load_vector(from), load_vector(from + elements)}; }
  static void store(T* to, C value) {
    *reinterpret_cast<V*>(to) = value.re;
    *reinterpret_cast<V*>(to + elements) = value.im;
  }

  /// Loads part `part` of 8 real elements of each pair.
  template <class Pointers>
  static V gather(const Pointers& from, Index position) {
    if constexpr (pairs == 1) {
      return P::load(from[0] + position);
    } else {
#if defined(__AVX512F__)
      const V low = V(_mm512_maskz_broadcast_f32x8(all, _mm256_loadu_ps(from[0] + position)));
      return V(_mm512_maskz_insertf32x8(all, __m512(low), _mm256_loadu_ps(from[1] + position), 1));
#endif
    }
  }
  static void scatter(T* const (&to)[pairs], Index position, V value) {
    if constexpr (pairs == 1) {
      P::store(to[0] + position, value);
    } else {
#if defined(__AVX512F__)
      // the intrinsic for the lower half is not used, because it causes a compiler warning
      typedef T Half __attribute__((vector_size(8 * sizeof(T)), aligned(alignof(T)), may_alias));
      *reinterpret_cast<Half*>(to[0] + position) =
          __builtin_shufflevector(value, value, 0, 1, 2, 3, 4, 5, 6, 7);
      _mm256_storeu_ps(to[1] + position,
                       _mm512_maskz_extractf32x8_ps(__mmask8(-1), __m512(value), 1));
#endif
    }
  }
  /// Loads part `part` of eight numbers of a table; the numbers are the same for every pair.
  static C table(const FftEight<T>& eight, int part) {
    return {broadcast(eight.re + part * P::lanes), broadcast(eight.im + part * P::lanes)};
  }

  /// Transposes the 8 x 8 elements of every pair. Row k consists of the vectors from `k * parts`
  /// on.
  [[gnu::always_inline]] static void transpose(V (&rows)[8 * parts]) {
    transpose_bit<1>(rows);
    transpose_bit<2>(rows);
    transpose_bit<4>(rows);
  }

 private:
#if defined(__AVX512F__)
  static constexpr __mmask16 all = -1;  // intrinsics without a mask cause compiler warnings
#endif

  static V broadcast(const T* from) {
    if constexpr (pairs == 1) {
      return load_vector(from);
    } else {
#if defined(__AVX512F__)
      return V(_mm512_maskz_broadcast_f32x8(all, _mm256_load_ps(from)));
#endif
    }
  }
  template <int bit>
  [[gnu::always_inline]] static void transpose_bit(V (&rows)[8 * parts]) {
#pragma GCC unroll 8
    for (int row = 0; row < 8; ++row) {
      if ((row & bit) != 0) continue;
      V *a = rows + row * parts, *b = rows + (row + bit) * parts;
      if constexpr (bit < P::lanes) {
#pragma GCC unroll 4
        for (int part = 0; part < parts; ++part)
          exchange<bit>(a[part], b[part], std::make_integer_sequence<int, P::lanes>());
      } else {
#pragma GCC unroll 4
        for (int part = 0; part < parts; ++part) {
          if ((part & bit / P::lanes) != 0) continue;
          const V other = b[part];
          b[part] = a[part + bit / P::lanes];
          a[part + bit / P::lanes] = other;
        }
      }
    }
  }
};

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

#pragma once

#include "framework/grid/shape.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#ifndef STENCIL_VECTOR_EXTENSION
#define STENCIL_VECTOR_EXTENSION baseline
#endif

// The functions of this header must not have external linkage or call inline functions of the
// standard library: the linker keeps one copy of such a function, which may have instructions that
// an older processor does not support.
namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
constexpr int vector_registers = 32;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
constexpr int vector_registers = 16;
#elif defined(__aarch64__)
// NEON, which every 64-bit Arm processor supports
constexpr int vector_bytes = 16;
constexpr int vector_registers = 32;
#else
constexpr int vector_bytes = 16;
constexpr int vector_registers = 16;
#endif

inline float fused_scalar(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fused_scalar(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// Added to a result, this constant turns -0 into +0 in float64, and changes nothing in float32.
template <class T>
constexpr T clean_zero = sizeof(T) == 8 ? T(0) : -T(0);

/// Like Pack, with one value at a time, for strided inputs and for rows shorter than a vector.
template <class T>
struct Single {
  using Vector = T;
  static constexpr int lanes = 1;

  static Vector load(const T* from) { return *from; }
  static void store(T* to, Vector value) { *to = value; }
  static void stream(T* to, Vector value) { *to = value; }
  static Vector splat(T value) { return value; }
  static bool equal(Vector a, Vector b) { return a == b; }
  static Vector fused(Vector a, Vector b, Vector c) { return fused_scalar(a, b, c); }
  static Vector clean(Vector value) {
    return value == value ? value + clean_zero<T> : T(__builtin_nanf(""));
  }
};

/// The values of one register of the vector extension. The addresses of loads and stores need not
/// be aligned.
template <class T>
struct Pack {
  using Vector __attribute__((vector_size(vector_bytes))) = T;
  using Unaligned __attribute__((vector_size(vector_bytes), aligned(alignof(T)), may_alias)) = T;
  static constexpr int lanes = vector_bytes / int(sizeof(T));

  static Vector load(const T* from) { return *reinterpret_cast<const Unaligned*>(from); }
  static void store(T* to, Vector value) { *reinterpret_cast<Unaligned*>(to) = value; }
  /// Writes a vector with a streaming store, for results that are not read soon.
  /// @pre `to` is aligned to the vector
  static void stream(T* to, Vector value) {
#if defined(__AVX512F__)
    _mm512_stream_ps(reinterpret_cast<float*>(to), __m512(value));
#elif defined(__AVX2__)
    _mm256_stream_ps(reinterpret_cast<float*>(to), __m256(value));
#elif defined(__x86_64__)
    _mm_stream_ps(reinterpret_cast<float*>(to), __m128(value));
#else
    store(to, value);
#endif
  }
  /// Returns a vector with the value in every lane. Subtracting a vector of zeros changes no value,
  /// not even -0.
  static Vector splat(T value) {
    return value - Vector{};
  }

  /// Returns a result in the form in which it is stored; see put.
  static Vector clean(Vector value) {
#if defined(__AVX512F__)
    // one instruction, whose table has one hexadecimal digit for each class of numbers: 0 selects
    // the given NaN, 1 the value, 8 +0
    if constexpr (sizeof(T) == 4) {
      return Vector(_mm512_fixupimm_ps(_mm512_set1_ps(__builtin_nanf("")), __m512(value),
                                       _mm512_set1_epi32(0x11111100), 0));
    } else {
      return Vector(_mm512_fixupimm_pd(_mm512_set1_pd(__builtin_nan("")), __m512d(value),
                                       _mm512_set1_epi64(0x11111800), 0));
    }
#else
    value = value == value ? value : splat(T(__builtin_nanf("")));
    if constexpr (sizeof(T) == 8) value += Vector{};
    return value;
#endif
  }

  /// Forces a value into a register. Otherwise the compiler loads it again for every use, or moves
  /// it to the stack.
  static void pin(Vector& value) {
#if defined(__AVX512F__)
    __asm__("" : "+v"(value));
#elif defined(__x86_64__)
    __asm__("" : "+x"(value));
#elif defined(__aarch64__)
    __asm__("" : "+w"(value));
#endif
  }

  /// Returns the vector that begins at lane `places` of `low` and continues in `high`.
  template <int places>
  static Vector shifted(Vector low, Vector high) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      return Vector(_mm512_maskz_alignr_epi32(__mmask16(-1), __m512i(high), __m512i(low), places));
    } else {
      return Vector(_mm512_maskz_alignr_epi64(__mmask8(-1), __m512i(high), __m512i(low), places));
    }
#elif defined(__aarch64__)
    static_assert(places >= 0 && places < lanes);
    if constexpr (sizeof(T) == 4) {
      return Vector(vextq_f32(float32x4_t(low), float32x4_t(high), places));
    } else {
      return Vector(vextq_f64(float64x2_t(low), float64x2_t(high), places));
    }
#else
    Vector result;
    for (int lane = 0; lane < lanes; ++lane)
      result[lane] = lane + places < lanes ? low[lane + places] : high[lane + places - lanes];
    return result;
#endif
  }

  /// Returns whether every lane of `a` equals that of `b`; a NaN is equal to no value.
  static bool equal(Vector a, Vector b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      return _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_EQ_OQ) == 0xffff;
    } else {
      return _mm512_cmp_pd_mask(__m512d(a), __m512d(b), _CMP_EQ_OQ) == 0xff;
    }
#elif defined(__AVX2__)
    return _mm256_movemask_ps(__m256(a == b)) == 0xff;
#elif defined(__x86_64__)
    return _mm_movemask_ps(__m128(a == b)) == 0xf;
#elif defined(__aarch64__)
    return vminvq_u32(uint32x4_t(a == b)) != 0;
#else
    for (int lane = 0; lane < lanes; ++lane)
      if (!(a[lane] == b[lane])) return false;
    return true;
#endif
  }

  /// Returns a * b + c, rounded once.
  static Vector fused(Vector a, Vector b, Vector c) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      return Vector(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
    } else {
      return Vector(_mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(c)));
    }
#elif defined(__FMA__)
    if constexpr (sizeof(T) == 4) {
      return Vector(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
    } else {
      return Vector(_mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(c)));
    }
#elif defined(__aarch64__)
    if constexpr (sizeof(T) == 4) {
      return Vector(vfmaq_f32(float32x4_t(c), float32x4_t(a), float32x4_t(b)));
    } else {
      return Vector(vfmaq_f64(float64x2_t(c), float64x2_t(a), float64x2_t(b)));
    }
#elif defined(__FP_FAST_FMA)
    return fused_lanes(a, b, c);
#else
    return fused_by_library(a, b, c);
#endif
  }

 private:
  static Vector fused_lanes(Vector a, Vector b, Vector c) {
    Vector sum = {};
    for (int lane = 0; lane < lanes; ++lane) sum[lane] = fused_scalar(a[lane], b[lane], c[lane]);
    return sum;
  }
  /// Computes a * b + c on processors without a fused instruction. The function is not inlined,
  /// because library calls take most of its time, and inlining it would make compilation several
  /// times as long.
  [[gnu::noinline]] static Vector fused_by_library(Vector a, Vector b, Vector c) {
    return fused_lanes(a, b, c);
  }
};

/// A store fence after streaming stores; every piece of work ends with it.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// Writes results. Every NaN becomes the same NaN. In float64 -0 becomes +0, because the sign would
/// depend on the number of products with 0 that a kernel adds (as in clean of
/// kernels/cuda/arithmetic.cuh). If `streamed`, streaming stores are used, which need an aligned
/// address.
template <class P, class T>
void put(T* to, typename P::Vector value, bool streamed = false) {
  if (streamed) {
    P::stream(to, P::clean(value));
  } else {
    P::store(to, P::clean(value));
  }
}

/// Number of elements from `target` to the next address that is aligned to a vector; 0 if there is
/// no such address.
template <class T>
Index elements_to_vector(const T* target) {
  const auto address = reinterpret_cast<__UINTPTR_TYPE__>(target);
  return address % sizeof(T) != 0 ? 0 : Index((-address) % vector_bytes / sizeof(T));
}

/// The part [from, to) of a row of results that is written with streaming stores. The part consists
/// of whole cache lines, and no element of them is written by an ordinary store. A line that is
/// written by both kinds of stores is written to memory and read back, so that a row of some
/// hundred points takes several times as long.
struct StreamedPart {
  Index from = 0, to = 0;  ///< empty for no streaming stores

  bool empty() const { return from >= to; }
};

/// Returns the part of n results that is written with streaming stores. Before the part, and after
/// it, there are either no results or at least as many as a vector has elements, so that vectors
/// can cover these results.
template <class T>
StreamedPart streamed_part(const T* target, Index n) {
  constexpr Index line = 64 / Index(sizeof(T)), lanes = Pack<T>::lanes;
  const auto address = reinterpret_cast<__UINTPTR_TYPE__>(target);
  if (address % sizeof(T) != 0) return {};
  Index from = Index((-address) % 64 / sizeof(T)), to = from + (n - from) / line * line;
  if (from > 0 && from < lanes) from += line;
  if (to < n && n - to < lanes) to -= line;
  return from < to ? StreamedPart{from, to} : StreamedPart{};
}

/// Calls `block.operator()<P, vectors>(x, streamed)` for blocks of `vectors * P::lanes` adjacent
/// elements that together cover [0, n). The last block, and the last block before the streamed
/// part, may overlap the previous block and then write the same values again. Blocks that extend
/// beyond the streamed part are not streamed.
template <class T, int vectors, class Block>
void cover_row(Index n, const StreamedPart& part, const Block& block) {
  using P = Pack<T>;
  constexpr Index wide = vectors * P::lanes;
  Index x = 0;
  if (n < P::lanes) {
    for (; x < n; ++x) block.template operator()<Single<T>, 1>(x, false);
    return;
  }
  for (; x + P::lanes <= part.from; x += P::lanes) block.template operator()<P, 1>(x, false);
  if (x < part.from) block.template operator()<P, 1>(part.from - P::lanes, false);
  x = part.from;
  for (; x + wide <= n; x += wide) block.template operator()<P, vectors>(x, x + wide <= part.to);
  for (; x + P::lanes <= n; x += P::lanes)
    block.template operator()<P, 1>(x, x + P::lanes <= part.to);
  if (x < n) block.template operator()<P, 1>(n - P::lanes, false);
}

/// Like cover_row(), for inputs that may be strided; these are processed one element at a time, and
/// their results are not streamed.
template <class T, int vectors, class Block>
void cover(Index n, bool contiguous, const StreamedPart& part, const Block& block) {
  if (contiguous) return cover_row<T, vectors>(n, part, block);
  Index x = 0;
  for (; x + vectors <= n; x += vectors) block.template operator()<Single<T>, vectors>(x, false);
  for (; x < n; ++x) block.template operator()<Single<T>, 1>(x, false);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

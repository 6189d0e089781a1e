#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Keeps a value in a register that several sums share: compilers else load it once for each sum,
/// and half of these loads cross a cache line.
template <class Vector>
[[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] Vector& value) {
#if defined(__x86_64__)
  asm("" : "+v"(value));
#endif
}

/// What stands under the taps of a mask row, vector by vector: loaded, most of it across cache
/// lines.
template <class P, class T>
struct LoadedRow {
  static constexpr int beyond = 0;  ///< elements read behind those that are needed

  [[gnu::always_inline]] explicit LoadedRow(const T* from) : from_(from) {}
  [[gnu::always_inline]] typename P::Vector at(int i, int v) const {
    auto value = P::load(from_ + i + v * P::lanes);
    keep_in_register(value);
    return value;
  }
  const T* from_;
};

#if defined(__AVX512F__)
/// The same: whole vectors loaded once, then shifted within registers.
template <class P, int vectors>
struct ShiftedRow {
  static constexpr int beyond = P::lanes - 2;

  template <class T>
  [[gnu::always_inline]] explicit ShiftedRow(const T* from) {
#pragma GCC unroll 9
    for (int v = 0; v <= vectors; ++v) data_[v] = P::load(from + v * P::lanes);
  }
  [[gnu::always_inline]] typename P::Vector at(int i, int v) const {
    if (i == 0) return data_[v];
    // all lanes chosen by a mask: the form without one warns of its own unset operand (gcc 12)
    const auto low = __m512i(data_[v]), high = __m512i(data_[v + 1]);
    using Vector = typename P::Vector;
    if constexpr (P::lanes == 16)
      return i == 1 ? Vector(_mm512_maskz_alignr_epi32(0xffff, high, low, 1))
                    : Vector(_mm512_maskz_alignr_epi32(0xffff, high, low, 2));
    else
      return i == 1 ? Vector(_mm512_maskz_alignr_epi64(0xff, high, low, 1))
                    : Vector(_mm512_maskz_alignr_epi64(0xff, high, low, 2));
  }
  typename P::Vector data_[vectors + 1];
};
#endif

/// `rows` x `vectors` outputs of a 3 x 3 mask, every loop unrolled; each input row meets the taps
/// of all output rows that read it, as in RowBlock.
///
/// @param taps  in registers, so that no store can change them
template <class P, class Row, class T, int rows, int vectors, bool plus, StepGoal goal>
[[gnu::always_inline]] inline void step_block(const T* const* input,
                                              const typename P::Vector (&taps)[9], T* const* target,
                                              Index x) {
  typename P::Vector sum[rows][vectors] = {};
#pragma GCC unroll 16
  for (int k = 0; k < rows + 2; ++k) {
    const Row row(input[k] + x);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      // only corners lie beside the middle of the first and the last row
      if (plus && i != 1 && (k == 0 || k == rows + 1)) continue;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const auto data = row.at(i, v);
#pragma GCC unroll 8
        for (int y = 0; y < rows; ++y) {
          const int j = k - y;
          if (j < 0 || j > 2 || (plus && i != 1 && j != 1)) continue;
          sum[y][v] = P::fused(taps[j * 3 + i], data, sum[y][v]);
        }
      }
    }
  }
#pragma GCC unroll 8
  for (int y = 0; y < rows; ++y) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      T* to = target[y] + x + v * P::lanes;
      if constexpr (goal == StepGoal::again) {
        P::store(to, sum[y][v]);
      } else {
        put<P>(to, sum[y][v], goal == StepGoal::stream);
      }
    }
  }
}

/// Blocks from place x on, as long as a block and what it reads beyond fit before n; returns where
/// it ended.
template <class P, class Row, class T, int rows, int vectors, bool plus, StepGoal goal>
Index step_blocks(const T* const* input, const T* taps, T* const* target, Index x, Index n) {
  typename P::Vector splat[9];
  const T* in[rows + 2];
  T* out[rows];
#pragma GCC unroll 9
  for (int k = 0; k < 9; ++k) splat[k] = P::splat(taps[k]);
#pragma GCC unroll 16
  for (int k = 0; k < rows + 2; ++k) in[k] = input[k];
#pragma GCC unroll 16
  for (int k = 0; k < rows; ++k) out[k] = target[k];
  for (; x + vectors * P::lanes + Row::beyond <= n; x += vectors * P::lanes)
    step_block<P, Row, T, rows, vectors, plus, goal>(in, splat, out, x);
  return x;
}

template <class T, int rows, bool plus, StepGoal goal>
void step_rows_of(const T* const* input, const T* taps, T* const* target, Index n) {
  constexpr int vectors = vector_registers == 32 ? 4 : 2;
  constexpr StepGoal stored = goal == StepGoal::stream ? StepGoal::store : goal;
  using P = Pack<T>;
  using Loaded = LoadedRow<P, T>;
  Index x = 0;
  if (n < P::lanes) {
    using S = Single<T>;
    step_blocks<S, LoadedRow<S, T>, T, rows, 1, plus, stored>(input, taps, target, x, n);
    return;
  }
#if defined(__AVX512F__)
  x = step_blocks<P, ShiftedRow<P, vectors>, T, rows, vectors, plus, goal>(input, taps, target, x,
                                                                           n);
#endif
  x = step_blocks<P, Loaded, T, rows, vectors, plus, stored>(input, taps, target, x, n);
  x = step_blocks<P, Loaded, T, rows, 1, plus, stored>(input, taps, target, x, n);
  if (x < n) step_blocks<P, Loaded, T, rows, 1, plus, stored>(input, taps, target, n - P::lanes, n);
}

template <class T, bool plus, StepGoal goal>
void step_rows_by_count(const T* const* input, const T* taps, int count, T* const* target,
                        Index n) {
  for (; count >= 4; count -= 4, input += 4, target += 4)
    step_rows_of<T, 4, plus, goal>(input, taps, target, n);
  for (; count > 0; --count, ++input, ++target)
    step_rows_of<T, 1, plus, goal>(input, taps, target, n);
}

template <class T, bool plus>
void step_rows_by_goal(const T* const* input, const T* taps, int count, StepGoal goal,
                       T* const* target, Index n) {
  using enum StepGoal;
  for (int y = 0; y < count; ++y)
    if (goal == stream && elements_to_line(target[y], n) != 0) goal = store;
  if (goal == again) return step_rows_by_count<T, plus, again>(input, taps, count, target, n);
  if (goal == store) return step_rows_by_count<T, plus, store>(input, taps, count, target, n);
  step_rows_by_count<T, plus, stream>(input, taps, count, target, n);
}

/// RowKernels::step_rows.
template <class T>
void step_rows(const T* const* rows, const T* taps, bool plus, int count, StepGoal goal,
               T* const* targets, Index n) {
  if (plus) return step_rows_by_goal<T, true>(rows, taps, count, goal, targets, n);
  step_rows_by_goal<T, false>(rows, taps, count, goal, targets, n);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

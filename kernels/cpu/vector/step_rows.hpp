#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Keeps a value that several sums share in a register. Otherwise compilers load it once for each
/// sum, and half of these loads cross a cache line.
template <class Vector>
[[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] Vector& value) {
#if defined(__x86_64__)
  asm("" : "+v"(value));
#elif defined(__aarch64__)
  asm("" : "+w"(value));
#endif
}

/// Returns the inputs under tap `i` of a mask row, for vector `v` of outputs. Inputs under the
/// middle tap have the same alignment as the outputs, so their loads cross no cache line if the
/// outputs are aligned. A load for one of the other two taps would cross a cache line, which takes
/// two cycles of the first-level cache. A shift of two vectors takes one cycle of a unit that also
/// multiplies. So the inputs of one of the two taps are loaded, and those of the other are shifted.
///
/// @param middle  inputs under the middle tap
template <class P, class T, int vectors>
[[gnu::always_inline]] inline typename P::Vector under_tap(
    const T* from, const typename P::Vector (&middle)[vectors], int i, int v) {
  if (i == 1) return middle[v];
  if constexpr (vectors > 1 && vector_bytes == 64) {
    if (i == 2 && v + 1 < vectors) return P::template shifted<1>(middle[v], middle[v + 1]);
  }
  auto value = P::load(from + i + v * P::lanes);
  keep_in_register(value);
  return value;
}

/// Computes `rows` x `vectors` outputs of a 3 x 3 mask, with every loop unrolled. Each input row is
/// multiplied by the taps of all output rows that read it, as in RowBlock.
///
/// @param taps  held in registers, so that no store can change them
template <class P, class T, int rows, int vectors, bool plus, StepGoal goal>
[[gnu::always_inline]] inline void step_block(const T* const* input,
                                              const typename P::Vector (&taps)[9], T* const* target,
                                              Index x) {
  typename P::Vector sum[rows][vectors] = {};
#pragma GCC unroll 16
  for (int k = 0; k < rows + 2; ++k) {
    typename P::Vector middle[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      auto value = P::load(input[k] + x + 1 + v * P::lanes);
      keep_in_register(value);
      middle[v] = value;
    }
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      // in the first and the last row of inputs, all inputs except the middle one are under corners
      if (plus && i != 1 && (k == 0 || k == rows + 1)) continue;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const auto data = under_tap<P, T, vectors>(input[k] + x, middle, i, v);
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

/// Computes blocks from x on, as long as they end before n; returns the end of the last block.
template <class P, class T, int rows, int vectors, bool plus, StepGoal goal>
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
  for (; x + vectors * P::lanes <= n; x += vectors * P::lanes)
    step_block<P, T, rows, vectors, plus, goal>(in, splat, out, x);
  return x;
}

template <class T, int rows, bool plus, StepGoal goal>
void step_rows_of(const T* const* input, const T* taps, T* const* target, Index n) {
  constexpr int vectors = vector_registers == 32 ? 4 : 2;
  constexpr StepGoal stored = goal == StepGoal::stream ? StepGoal::store : goal;
  using P = Pack<T>;
  if (n < P::lanes) {
    step_blocks<Single<T>, T, rows, 1, plus, stored>(input, taps, target, 0, n);
    return;
  }
  Index x = 0, end = n;
  if constexpr (goal == StepGoal::stream) {
    end = streamed_part(target[0], n).to;
  } else if (const Index lead = elements_to_vector(target[0]); lead > 0) {
    step_blocks<P, T, rows, 1, plus, stored>(input, taps, target, 0, P::lanes);
    x = lead;
  }
  x = step_blocks<P, T, rows, vectors, plus, goal>(input, taps, target, x, end);
  x = step_blocks<P, T, rows, 1, plus, stored>(input, taps, target, x, n);
  if (x < n) step_blocks<P, T, rows, 1, plus, stored>(input, taps, target, n - P::lanes, n);
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
  for (int y = 0; y < count && goal == stream; ++y)
    if (const auto part = streamed_part(target[y], n); part.empty() || part.from > 0) goal = store;
  if (goal == again) return step_rows_by_count<T, plus, again>(input, taps, count, target, n);
  if (goal == store) return step_rows_by_count<T, plus, store>(input, taps, count, target, n);
  step_rows_by_count<T, plus, stream>(input, taps, count, target, n);
}

/// Implements RowKernels::step_rows.
template <class T>
void step_rows(const T* const* rows, const T* taps, bool plus, int count, StepGoal goal,
               T* const* targets, Index n) {
  if (plus) return step_rows_by_goal<T, true>(rows, taps, count, goal, targets, n);
  step_rows_by_goal<T, false>(rows, taps, count, goal, targets, n);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

#pragma once

#include "framework/grid/shape.hpp"

namespace stencil::cpu {

/// One term of a sum: the input `offset` elements behind an output's first input, times `value`.
template <class T>
struct Tap {
  Index offset;
  T value;
};

/// Most rows that sum_rows computes at once.
inline constexpr int most_rows = 4;
/// Most output channels that sum_channels computes at once.
inline constexpr int most_channels = 4;

/// The inner loops of every walk, for one vector extension: they compute rows of outputs, without
/// any boundary test, by one fused multiply-add per tap in the order of the taps, starting from +0.
/// Targets overlap nothing else. Every NaN written is the same one, so that bits do not depend on
/// the order in which an instruction looks at its operands.
template <class T>
struct RowKernels {
  /// `target[x] = sum_k taps[k].value * source[x * step + taps[k].offset]`, x in [0, n).
  ///
  /// @param stream  results go past the caches; call finish_streaming after the last row
  void (*sum_row)(const Tap<T>* taps, Index count, const T* source, Index step, bool stream,
                  T* target, Index n);

  /// The same over the taps whose input is not NaN, with the sum of these taps in `den` and, unless
  /// it is null, the sum of their absolute values in `weight`.
  void (*sum_valid_row)(const Tap<T>* taps, Index count, const T* source, Index step, T* num,
                        T* den, T* weight, Index n);

  /// `count` rows of outputs at once, each input loaded once for all of them:
  ///
  ///     target[y * pitch + x] = sum_{j, i} taps[j * width + i] * rows[y + j][x + i]
  ///
  /// @param rows  count + height - 1 rows of inputs
  /// @param skip_zeros  taps of exactly 0 do not meet their input
  /// @pre 1 <= count <= most_rows and count <= height
  void (*sum_rows)(const T* const* rows, const T* taps, Index height, Index width, bool skip_zeros,
                   int count, bool stream, T* target, Index pitch, Index n);

  /// A row of each of `count` output channels, which have taps of their own and the same inputs,
  /// each input loaded once for all of them:
  ///
  ///     target[k * pitch + x] = sum_t values[t * count + k] * source[x * step + offsets[t]]
  ///
  /// @pre 1 <= count <= most_channels
  void (*sum_channels)(const Index* offsets, const T* values, Index taps, int count,
                       const T* source, Index step, T* target, Index pitch, Index n);

  /// Orders streamed results before whatever the thread does next.
  void (*finish_streaming)();

  /// Rescales sums over valid points: `target = num` where `den == total`, else
  /// `num * (total / den)`; NaN where `weight < threshold`, `weight == 0` or `den == 0`.
  ///
  /// @param weight  null: the absolute value of den
  void (*rescale_row)(const T* num, const T* den, const T* weight, T total, T threshold, T* target,
                      Index n);

  /// Copies n elements past the caches. @pre n fills whole cache lines, both ends aligned to 64
  /// bytes
  void (*copy_aligned)(const T* source, T* target, Index n);

  /// `rounds` times `adds_per_round` fused multiply-adds in registers, to measure how many there
  /// can be; returns a number made of them all.
  T (*multiply_adds)(Index rounds, T factor);
  Index adds_per_round;
};

}  // namespace stencil::cpu

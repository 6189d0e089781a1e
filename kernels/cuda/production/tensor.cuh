#pragma once

#include <type_traits>

#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

// Direct sums in float64 on tensor cores. One step of a warp multiplies a matrix of inputs by a
// matrix of taps: `sum[m][n] += sum_k input[m][k] * tap[k][n]`, m < 16, n < 8, k < 4. Row m of the
// inputs is the beginning of the windows of 8 neighbouring outputs. Column n of the taps is the
// mask shifted to the n-th of these outputs, with zeros outside the mask.
//
// On an H200 such a step has the same bits as a chain of fused multiply-adds over ascending k, and
// a product with 0 does not change a finite sum. So the sums have the same bits as in any other
// kernel, at twice the rate of multiply-adds (66 TFLOP/s). A sum that is -0 becomes +0, as in all
// stored results (clean). An input that is not finite gives NaN when it is multiplied by a zero, in
// all outputs that share its steps. Therefore a warp that finds a NaN among its sums computes them
// again, tap by tap.

constexpr unsigned whole_warp = 0xffffffffu;

/// One step. Lane l has, in `a`, rows l / 4 and l / 4 + 8 of the inputs in column l % 4; in `b`,
/// row l % 4 of the taps in column l / 4; in `low`, columns 2 * (l % 4) and 2 * (l % 4) + 1 of row
/// l / 4 of the sums; in `high`, the same columns of row l / 4 + 8. The two columns are neighbours
/// in a row or in a column of outputs.
template <int rows, int columns>
__device__ __forceinline__ void add_products(const double (&a)[2], double b,
                                             double (&low)[rows][columns],
                                             double (&high)[rows][columns]) {
  static_assert(rows * columns == 2);
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
      : "+d"(low[0][0]), "+d"(low[rows - 1][columns - 1]), "+d"(high[0][0]),
        "+d"(high[rows - 1][columns - 1])
      : "d"(a[0]), "d"(a[1]), "d"(b));
}

/// Sums of one warp: `groups` groups of neighbouring outputs. The windows of consecutive groups
/// begin two places apart. A place is one step or, in tensor_dense.cu, one row of the mask. Each
/// group has `eights` times 8 windows.
inline constexpr int groups = 4;
template <int eights, int rows, int columns>
using TensorSums = double[groups][eights][rows][columns];

/// Adds the products of one place of the windows to the groups [first, last).
///
/// @param input  input(h): this lane's input of the eight windows h
/// @param tap    tap(p): this lane's tap of group p
template <int first, int last, int eights, int rows, int columns, class Input, class Tap>
__device__ __forceinline__ void add_place(const Input& input, const Tap& tap,
                                          TensorSums<eights, rows, columns>& sum) {
  double a[eights / 2][2], b[groups];
#pragma unroll
  for (int h = 0; h < eights; ++h) a[h / 2][h % 2] = input(h);
#pragma unroll
  for (int p = first; p < last; ++p) b[p] = tap(p);
#pragma unroll
  for (int p = first; p < last; ++p)
#pragma unroll
    for (int q = 0; q < eights / 2; ++q) add_products(a[q], b[p], sum[p][2 * q], sum[p][2 * q + 1]);
}

/// Calls `pass(first, last, places)` for the places of the windows of the groups [first, last), in
/// order; `first` and `last` are compile-time constants. Groups whose windows do not contain a
/// place are not computed there: a product disabled by a predicate takes as long as any other on
/// tensor cores.
///
/// @param reach  length of a window in places; at least least_reach
template <class Pass>
__device__ __forceinline__ void pass_windows(int reach, const Pass& pass) {
  static_assert(groups == 4);
  constexpr std::integral_constant<int, 0> zero{};
  constexpr std::integral_constant<int, 1> one{};
  constexpr std::integral_constant<int, 2> two{};
  constexpr std::integral_constant<int, 3> three{};
  constexpr std::integral_constant<int, 4> four{};
  pass(zero, one, 2);
  pass(zero, two, 2);
  pass(zero, three, 2);
  pass(zero, four, reach - 6);
  pass(one, four, 2);
  pass(two, four, 2);
  pass(three, four, 2);
}
inline constexpr int least_reach = 6;

/// Replaces -0 by +0 in the sums of a warp, as in stored results. Returns false if a sum of the
/// warp is NaN.
template <int eights, int rows, int columns>
__device__ __forceinline__ bool clean_sums(TensorSums<eights, rows, columns>& sum) {
  bool found = false;
#pragma unroll
  for (int p = 0; p < groups; ++p)
#pragma unroll
    for (int h = 0; h < eights; ++h)
#pragma unroll
      for (int i = 0; i < rows * columns; ++i) {
        double& one = sum[p][h][i / columns][i % columns];
        found |= one != one;
        one = unsigned_zero(one);
      }
  return !__any_sync(whole_warp, found);
}

/// `sum[n] += sum_i taps[i] * input(i + n)`, tap by tap, by one thread, for outputs that a warp
/// computes again.
template <int count, class Input>
__device__ __forceinline__ void add_chains(const Input& input, const double* taps, int length,
                                           double (&sum)[count]) {
  double window[count];
#pragma unroll
  for (int n = 0; n < count - 1; ++n) window[n] = input(n);
#pragma unroll 1
  for (int i = 0; i < length; i += count) {
#pragma unroll
    for (int k = 0; k < count; ++k) {
      if (i + k >= length) return;
      window[(k + count - 1) % count] = input(i + k + count - 1);
      const double tap = taps[i + k];
#pragma unroll
      for (int n = 0; n < count; ++n) sum[n] = fused(tap, window[(k + n) % count], sum[n]);
    }
  }
}

}  // namespace stencil::cuda

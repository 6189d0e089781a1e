#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// A block of `rows` x `vectors` column sums, kept in registers during a loop over the input rows.
/// The same columns of the rows `soon`, which will be read later, are prefetched into the
/// second-level cache, some lines at a time.
///
/// Input row k adds tap `k - y` to output row y. Thus every output adds its taps in ascending
/// order, and each vector of inputs is loaded once for all output rows.
template <class P, class T, int rows, int vectors, bool skip_zeros>
struct ColumnBlock {
  typename P::Vector sum[rows][vectors] = {};

  /// Adds one input row to the output rows `first ... last`.
  /// @param tap  tap of output row 0; output row y uses tap[-y]
  template <int first, int last>
  [[gnu::always_inline]] void add(const T* from, const T* tap) {
    // Without this statement, the compiler keeps all taps in registers, because the next row uses
    // every tap again, and has no registers left for the sums.
    __asm__("" : "+r"(tap));
    typename P::Vector data[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) data[v] = P::load(from + v * P::lanes);
#pragma GCC unroll 8
    for (int y = first; y <= last; ++y) {
      const T value = tap[-y];
      if constexpr (skip_zeros) {
        if (value == 0) continue;
      }
      const auto splat = P::splat(value);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[y][v] = P::fused(splat, data[v], sum[y][v]);
    }
  }

  [[gnu::always_inline]] static void fetch(const T* const* soon, int row, Index x) {
    if (soon == nullptr) return;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) __builtin_prefetch(soon[row] + x + v * P::lanes, 0, 2);
  }

  /// Adds the input rows `k ... rows - 2`, which contribute to the first output rows only.
  template <int k = 0>
  [[gnu::always_inline]] void add_first(const T* const* input, Index x, const T* taps,
                                        const T* const* soon) {
    if constexpr (k < rows - 1) {
      fetch(soon, k, x);
      add<0, k>(input[k] + x, taps + k);
      add_first<k + 1>(input, x, taps, soon);
    }
  }
  /// Adds the input rows from k on. They are below the last tap of output row 0, and contribute to
  /// the last output rows only.
  template <int k = 0>
  [[gnu::always_inline]] void add_last(const T* const* input, Index x, const T* end) {
    if constexpr (k < rows - 1) {
      add<k + 1, rows - 1>(input[k] + x, end + k);
      add_last<k + 1>(input, x, end);
    }
  }

  [[gnu::always_inline]] void add_all(const T* const* input, Index x, const T* taps, Index height,
                                      const T* const* soon) {
    add_first(input, x, taps, soon);
    fetch(soon, rows - 1, x);
    for (Index k = rows - 1; k < height; ++k) add<0, rows - 1>(input[k] + x, taps + k);
    add_last(input + height, x, taps + height);
  }
};

/// Largest number of output rows of a block for a mask of `height` taps; it does not exceed
/// `height`.
constexpr int column_rows(Index height) {
  constexpr int most = vector_registers == 32 ? 8 : 4;
  int rows = 1;
  while (2 * rows <= most && 2 * rows <= height) rows *= 2;
  return rows;
}

/// Number of adjacent vectors of a block with this number of rows, chosen so that sums, inputs and
/// one tap fit into the registers.
constexpr int column_vectors(int rows) {
  constexpr int of_32[] = {8, 8, 6, 3};
  constexpr int of_16[] = {8, 4, 2};
  const int power = rows == 1 ? 0 : (rows == 2 ? 1 : (rows == 4 ? 2 : 3));
  return vector_registers == 32 ? of_32[power] : of_16[power];
}

/// Computes all rows of one block of columns: groups of `rows` rows, then smaller groups.
template <class P, class T, int rows, int vectors, bool skip_zeros>
[[gnu::always_inline]] inline void sum_column_block(const ColumnSums<T>& sums, Index x, Index y,
                                                    bool streamed) {
  for (; y + rows <= sums.count; y += rows) {
    ColumnBlock<P, T, rows, vectors, skip_zeros> block;
    block.add_all(sums.rows + y, x, sums.taps, sums.height,
                  sums.soon != nullptr ? sums.soon + y : nullptr);
    // a copy: otherwise the compiler would read `sums` again after every store
    const Index pitch = sums.pitch;
    T* target = sums.target + y * pitch + x;
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r, target += pitch) {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) put<P>(target + v * P::lanes, block.sum[r][v], streamed);
    }
  }
  if constexpr (rows > 1) {
    if (y < sums.count) sum_column_block<P, T, rows / 2, vectors, skip_zeros>(sums, x, y, streamed);
  }
}

template <class T, int rows, bool skip_zeros>
void sum_columns_of(const ColumnSums<T>& sums) {
  // rows are streamed only if all of them have the same alignment
  const bool aligned_alike = sums.count == 1 || sums.pitch * Index(sizeof(T)) % 64 == 0;
  const StreamedPart part =
      sums.stream && aligned_alike ? streamed_part(sums.target, sums.n) : StreamedPart{};
  cover_row<T, column_vectors(rows)>(
      sums.n, part, [&]<class P, int vectors>(Index x, bool streamed) {
        sum_column_block<P, T, rows, vectors, skip_zeros>(sums, x, 0, streamed);
      });
}

template <class T, bool skip_zeros>
void sum_columns_by_height(const ColumnSums<T>& sums) {
  switch (column_rows(sums.height)) {
    case 1:
      return sum_columns_of<T, 1, skip_zeros>(sums);
    case 2:
      return sum_columns_of<T, 2, skip_zeros>(sums);
    case 4:
      return sum_columns_of<T, 4, skip_zeros>(sums);
  }
  if constexpr (vector_registers == 32) sum_columns_of<T, 8, skip_zeros>(sums);
}

/// Implements RowKernels::sum_columns.
template <class T>
void sum_columns(const ColumnSums<T>& sums) {
  if (sums.skip_zeros) return sum_columns_by_height<T, true>(sums);
  sum_columns_by_height<T, false>(sums);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

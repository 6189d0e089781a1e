#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// A block of `rows` x `vectors` outputs, kept in registers during a loop over the input rows.
///
/// Input row k adds tap row `k - y` to output row y. With k as the outer and i as the inner loop
/// index, the taps of every output are added in row-major order, and each vector of inputs is
/// loaded once for all output rows. The planes of a mask of three axes are added one after the
/// other.
template <class P, class T, int rows, int vectors, bool skip_zeros>
struct RowBlock {
  typename P::Vector sum[rows][vectors] = {};

  /// Adds one input row to the output rows `first ... last`.
  /// @param taps  address of row k of the mask, which output row 0 uses; it may be outside the mask
  ///              if `first` is above 0
  template <int first, int last>
  [[gnu::always_inline]] void add(const T* from, const T* taps, Index width) {
    for (Index i = 0; i < width; ++i) {
      typename P::Vector data[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) data[v] = P::load(from + i + v * P::lanes);
#pragma GCC unroll 4
      for (int y = first; y <= last; ++y) {
        const T value = taps[i - y * width];
        if constexpr (skip_zeros) {
          if (value == 0) continue;
        }
        const auto tap = P::splat(value);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) sum[y][v] = P::fused(tap, data[v], sum[y][v]);
      }
    }
  }

  /// Adds all input rows of one plane; the first and the last `rows - 1` input rows contribute to
  /// some output rows only.
  [[gnu::always_inline]] void add_all(const T* const* input, Index x, const T* taps, Index height,
                                      Index width) {
    if constexpr (rows > 1) add<0, 0>(input[0] + x, taps, width);
    if constexpr (rows > 2) add<0, 1>(input[1] + x, taps + width, width);
    if constexpr (rows > 3) add<0, 2>(input[2] + x, taps + 2 * width, width);
    for (Index k = rows - 1; k < height; ++k)
      add<0, rows - 1>(input[k] + x, taps + k * width, width);
    const T* const* after = input + height;
    const T* end = taps + height * width;
    if constexpr (rows > 1) add<1, rows - 1>(after[0] + x, end, width);
    if constexpr (rows > 2) add<2, rows - 1>(after[1] + x, end + width, width);
    if constexpr (rows > 3) add<3, rows - 1>(after[2] + x, end + 2 * width, width);
  }
};

/// Implements RowKernels::sum_rows for a number of rows of outputs.
template <class T, int rows, bool skip_zeros>
void sum_rows_of(const RowSums<T>& sums) {
  // sums, inputs and one tap must fit into the registers
  constexpr int most = vector_registers == 32 ? 16 : 8;
  constexpr int vectors = rows == 1 ? 8 : (rows == 2 ? most / 2 : 4 * most / 16);
  // rows are streamed only if all of them have the same alignment
  const bool aligned_alike = rows == 1 || sums.pitch * Index(sizeof(T)) % 64 == 0;
  const StreamedPart part =
      sums.stream && aligned_alike ? streamed_part(sums.target, sums.n) : StreamedPart{};
  // copies: otherwise the compiler would read `sums` again after every store
  const T* const* const input = sums.rows;
  const Index height = sums.height, width = sums.width, pitch = sums.pitch;
  const bool is_plane = sums.depth == 1;
  const T* const first_tap = sums.taps;
  const T* const end = first_tap + sums.depth * height * width;
  T* const target = sums.target;
  cover_row<T, vectors>(sums.n, part, [=]<class P, int count>(Index x, bool streamed) {
    RowBlock<P, T, rows, count, skip_zeros> block;
    if (is_plane) {  // without a loop over planes, the loops over rows need fewer registers
      block.add_all(input, x, first_tap, height, width);
    } else {
      const T* const* plane = input;
      for (const T* taps = first_tap; taps != end; taps += height * width) {
        block.add_all(plane, x, taps, height, width);
        plane += rows + height - 1;
      }
    }
#pragma GCC unroll 4
    for (int y = 0; y < rows; ++y) {
#pragma GCC unroll 8
      for (int v = 0; v < count; ++v)
        put<P>(target + y * pitch + x + v * P::lanes, block.sum[y][v], streamed);
    }
  });
}

template <class T, bool skip_zeros>
void sum_rows_by_count(const RowSums<T>& sums) {
  static_assert(most_rows == 4);
  switch (sums.count) {
    case 1:
      return sum_rows_of<T, 1, skip_zeros>(sums);
    case 2:
      return sum_rows_of<T, 2, skip_zeros>(sums);
    case 3:
      return sum_rows_of<T, 3, skip_zeros>(sums);
    case 4:
      return sum_rows_of<T, 4, skip_zeros>(sums);
  }
}

/// Implements RowKernels::sum_rows.
template <class T>
void sum_rows(const RowSums<T>& sums) {
  if (sums.skip_zeros) return sum_rows_by_count<T, true>(sums);
  sum_rows_by_count<T, false>(sums);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION

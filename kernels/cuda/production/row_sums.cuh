#pragma once

#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Outputs along x that one thread sums: three chunks. An odd number of chunks lets eight
/// neighbouring threads read from all banks of shared memory at once.
template <class T>
inline constexpr int row_outputs = 3 * chunk<T>;

/// Elements of shared memory that row_sums reads behind its last output's first input.
template <class T>
__host__ __device__ constexpr int row_reach(int width) {
  return (width + chunk<T> - 1) / chunk<T> * chunk<T> + chunk<T>;
}

/// Window of four chunks of inputs that slides along a row, with the sums of one thread.
template <class T>
struct RowWindow {
  static constexpr int n = chunk<T>, outputs = row_outputs<T>;
  T window[4 * n];
  T (&sum)[outputs];

  /// Adds a tap whose inputs begin at element e of chunk c of the window.
  __device__ __forceinline__ void add(T tap, int c, int e) {
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      sum[k] = fused(tap, window[(c * n + e + k) % (4 * n)], sum[k]);
  }
  /// Adds a chunk of taps, after reading the chunk of inputs that it needs last.
  __device__ __forceinline__ void add_chunk(const T* from, const T* taps, int c) {
    T tap[n];
    load_chunk(from + (c + 3) * n, window + (c + 3) % 4 * n);
    load_chunk(taps + c * n, tap);
#pragma unroll
    for (int e = 0; e < n; ++e) add(tap[e], c, e);
  }
  template <bool skip_zeros>
  __device__ __forceinline__ void add_part(const T* from, const T* taps, int c, int count) {
    T tap[n];
    load_chunk(from + (c + 3) * n, window + (c + 3) % 4 * n);
    load_chunk(taps + c * n, tap);
#pragma unroll
    for (int e = 0; e < n; ++e) {
      if (e < count && (!skip_zeros || tap[e] != 0)) add(tap[e], c, e);
    }
  }
};

/// `sum[k] = sum_i taps[i] * from[k + i]`: every input is read from shared memory once per thread.
///
/// @param from, taps  shared memory, aligned to 16 bytes
template <bool skip_zeros, class T>
__device__ __forceinline__ void row_sums(const T* from, const T* taps, int width,
                                         T (&sum)[row_outputs<T>]) {
  constexpr int n = chunk<T>;
  RowWindow<T> row{{}, sum};
#pragma unroll
  for (int k = 0; k < row_outputs<T>; ++k) sum[k] = 0;
#pragma unroll
  for (int c = 0; c < 3; ++c) load_chunk(from + c * n, row.window + c * n);
  int left = width;
  if (!skip_zeros) {
    for (; left >= 4 * n; left -= 4 * n, from += 4 * n, taps += 4 * n) {
#pragma unroll
      for (int c = 0; c < 4; ++c) row.add_chunk(from, taps, c);
    }
  }
  for (; left > 0; left -= 4 * n, from += 4 * n, taps += 4 * n) {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      if (left <= c * n) break;
      row.template add_part<skip_zeros>(from, taps, c, left - c * n);
    }
  }
}

/// The same for a width known to the compiler, with taps in the constant bank.
template <int width, class T>
__device__ __forceinline__ void row_sums_fixed(const T* from, const T (&taps)[width],
                                               T (&sum)[row_outputs<T>]) {
  constexpr int n = chunk<T>, chunks = (row_outputs<T> + width - 2) / n + 1;
  T window[chunks * n];
#pragma unroll
  for (int c = 0; c < chunks; ++c) load_chunk(from + c * n, window + c * n);
#pragma unroll
  for (int k = 0; k < row_outputs<T>; ++k) sum[k] = 0;
#pragma unroll
  for (int i = 0; i < width; ++i) {
#pragma unroll
    for (int k = 0; k < row_outputs<T>; ++k) sum[k] = fused(taps[i], window[i + k], sum[k]);
  }
}

}  // namespace stencil::cuda

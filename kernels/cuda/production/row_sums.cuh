#pragma once

#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Outputs along x that one thread sums, in chunks: an odd number of them, so that eight
/// neighbouring threads read from all banks of shared memory at once.
template <class T, int chunks>
inline constexpr int row_outputs = chunks* chunk<T>;

/// Elements of shared memory that row_sums reads after its last output's first input.
template <class T>
__host__ __device__ constexpr int row_reach(int width) {
  return (width + chunk<T> - 1) / chunk<T> * chunk<T> + chunk<T>;
}

/// Window of inputs that slides along a row, with the sums of one thread: one chunk more than
/// these.
template <class T, int chunks>
struct RowWindow {
  static constexpr int n = chunk<T>, outputs = chunks * n, size = chunks + 1;
  T window[size * n];
  T (&sum)[outputs];

  __device__ __forceinline__ void read(const T* from, int c) { load_chunk(from, window + c * n); }
  /// Adds a tap whose inputs begin at element e of chunk c of the window.
  __device__ __forceinline__ void add(T tap, int c, int e) {
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      sum[k] = fused(tap, window[(c * n + e + k) % (size * n)], sum[k]);
  }
  /// Adds a chunk of taps, after reading the chunk of inputs that it needs last.
  __device__ __forceinline__ void add_chunk(const T* from, const T* taps, int c) {
    T tap[n];
    read(from + (c + chunks) * n, (c + chunks) % size);
    load_chunk(taps + c * n, tap);
#pragma unroll
    for (int e = 0; e < n; ++e) add(tap[e], c, e);
  }
  template <bool skip_zeros>
  __device__ __forceinline__ void add_part(const T* from, const T* taps, int c, int count) {
    T tap[n];
    read(from + (c + chunks) * n, (c + chunks) % size);
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
template <bool skip_zeros, int chunks, class T>
__device__ __forceinline__ void row_sums(const T* from, const T* taps, int width,
                                         T (&sum)[row_outputs<T, chunks>]) {
  constexpr int n = chunk<T>, size = chunks + 1;
  RowWindow<T, chunks> row{{}, sum};
#pragma unroll
  for (int k = 0; k < row_outputs<T, chunks>; ++k) sum[k] = 0;
#pragma unroll
  for (int c = 0; c < chunks; ++c) row.read(from + c * n, c);
  int left = width;
  if (!skip_zeros) {
#pragma unroll 1
    for (; left >= size * n; left -= size * n, from += size * n, taps += size * n) {
#pragma unroll
      for (int c = 0; c < size; ++c) row.add_chunk(from, taps, c);
    }
  }
#pragma unroll 1
  for (; left > 0; left -= size * n, from += size * n, taps += size * n) {
#pragma unroll
    for (int c = 0; c < size; ++c) {
      if (left <= c * n) break;
      if (!skip_zeros && left >= (c + 1) * n) {
        row.add_chunk(from, taps, c);
      } else {
        row.template add_part<skip_zeros>(from, taps, c, left - c * n);
      }
    }
  }
}

}  // namespace stencil::cuda

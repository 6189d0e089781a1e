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

/// `sum[k] = sum_i taps[i] * from[k + i]`: a window of four chunks slides along the inputs, so that
/// every input is read from shared memory once per thread.
///
/// @param from, taps  shared memory, aligned to 16 bytes
template <bool skip_zeros, class T>
__device__ __forceinline__ void row_sums(const T* from, const T* taps, int width,
                                         T (&sum)[row_outputs<T>]) {
  constexpr int n = chunk<T>, outputs = row_outputs<T>;
  T window[4 * n];
#pragma unroll
  for (int k = 0; k < outputs; ++k) sum[k] = 0;
#pragma unroll
  for (int c = 0; c < 3; ++c) load_chunk(from + c * n, window + c * n);
  for (int i = 0; i < width; i += 4 * n) {
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const int at = i + c * n;
      if (at >= width) break;
      T tap[n];
      load_chunk(from + at + 3 * n, window + (c + 3) % 4 * n);
      load_chunk(taps + at, tap);
      const auto add = [&](int e) {
#pragma unroll
        for (int k = 0; k < outputs; ++k)
          sum[k] = fused(tap[e], window[(c * n + e + k) % (4 * n)], sum[k]);
      };
      if (!skip_zeros && at + n <= width) {
#pragma unroll
        for (int e = 0; e < n; ++e) add(e);
      } else {
#pragma unroll
        for (int e = 0; e < n; ++e) {
          if (at + e < width && (!skip_zeros || tap[e] != 0)) add(e);
        }
      }
    }
  }
}

}  // namespace stencil::cuda

#pragma once

#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Leaves taps as they are.
struct Unchanged {
  template <class T>
  __device__ __forceinline__ T operator()(T value) const {
    return value;
  }
};

/// `sum[r][v] = sum_{j, i} taps[j * width + i] * (input row j + r)[sub + i + v]`. The outer loop is
/// over the taps, so that each tap is loaded from the constant bank once for all outputs of the
/// thread. The rows of inputs that a tap is multiplied by stay in registers.
///
/// @param from    shared memory, aligned to 16 bytes: the chunk of the first row that contains
///                input 0
/// @param absent  bit k is 1 if tap k is skipped
template <int height, int width, int sub, int pitch, unsigned long long absent = 0, class T,
          int outputs, class Tap = Unchanged>
__device__ __forceinline__ void block_sums(const T* from, const T* taps,
                                           T (&sum)[outputs][chunk<T>], const Tap& tap = {}) {
  constexpr int n = chunk<T>, chunks = (sub + width + n - 2) / n + 1;
  T window[outputs][chunks * n];
  const auto read = [&](int row) {
#pragma unroll
    for (int c = 0; c < chunks; ++c)
      load_chunk(from + row * pitch + c * n, window[row % outputs] + c * n);
  };
#pragma unroll
  for (int r = 0; r < outputs; ++r)
#pragma unroll
    for (int v = 0; v < n; ++v) sum[r][v] = 0;
#pragma unroll
  for (int r = 0; r < outputs - 1; ++r) read(r);
#pragma unroll
  for (int j = 0; j < height; ++j) {
    read(j + outputs - 1);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      constexpr int bits = 64;
      const int k = j * width + i;
      if (k < bits && (absent >> k & 1)) continue;
      const T factor = tap(taps[k]);
#pragma unroll
      for (int r = 0; r < outputs; ++r)
#pragma unroll
        for (int v = 0; v < n; ++v)
          sum[r][v] = fused(factor, window[(j + r) % outputs][sub + i + v], sum[r][v]);
    }
  }
}

/// `sum[r][k] += sum_i taps[i] * from[r * pitch + sub + i + k]`, for whole chunks of neighbouring
/// outputs of some rows.
template <int width, int sub, class T, int rows, int outputs, class Tap = Unchanged>
__device__ __forceinline__ void add_line_sums(const T* from, int pitch, const T* taps,
                                              T (&sum)[rows][outputs], const Tap& tap = {}) {
  constexpr int n = chunk<T>, chunks = (sub + width + outputs - 2) / n + 1;
  T window[rows][chunks * n];
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int c = 0; c < chunks; ++c) load_chunk(from + r * pitch + c * n, window[r] + c * n);
#pragma unroll
  for (int i = 0; i < width; ++i) {
    const T factor = tap(taps[i]);
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < outputs; ++k)
        sum[r][k] = fused(factor, window[r][sub + i + k], sum[r][k]);
  }
}

/// `sum[k] = sum_i taps[i] * from[sub + i + k]`, for whole chunks of neighbouring outputs.
template <int width, int sub, class T, int outputs>
__device__ __forceinline__ void line_sums(const T* from, const T* taps, T (&sum)[outputs]) {
  T sums[1][outputs] = {};
  add_line_sums<width, sub>(from, 0, taps, sums);
#pragma unroll
  for (int k = 0; k < outputs; ++k) sum[k] = sums[0][k];
}

/// Taps as a kernel argument in the constant bank.
template <class T, int count>
struct ConstantTaps {
  T values[count];
};

}  // namespace stencil::cuda

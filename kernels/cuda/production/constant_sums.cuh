#pragma once

#include "kernels/cuda/production/chunk.cuh"
#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Taps of a mask or of one band of it, as a kernel argument in the constant bank. Each row is
/// padded to whole chunks.
///
/// From the constant bank, the taps are loaded into uniform registers. Taps in shared memory would
/// be loaded into registers of the threads. A multiply-add would then read all three operands from
/// the registers of its thread, which causes bank conflicts in the register file: lines of 127 taps
/// on an H200 reached only 0.70 of the peak rate of multiply-adds in this way.
template <class T>
struct BandTaps {
  /// Largest number of taps. The arguments of a kernel have at most 4 KiB, some of which the other
  /// arguments need.
  static constexpr int most = 3840 / int(sizeof(T));
  alignas(16) T values[most];

  /// Number of elements from one row of taps to the next.
  static __host__ __device__ int pitch(int width) {
    return (width + chunk<T> - 1) / chunk<T> * chunk<T>;
  }
};

/// Reads a chunk of taps, 8 bytes at a time, the widest load of uniform registers.
__device__ __forceinline__ void load_taps(const float* from, float (&to)[4]) {
  const float2 low = reinterpret_cast<const float2*>(from)[0];
  const float2 high = reinterpret_cast<const float2*>(from)[1];
  to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
}
__device__ __forceinline__ void load_taps(const double* from, double (&to)[2]) {
  to[0] = from[0], to[1] = from[1];
}

/// Inputs and sums of one thread: `rows` rows of `chunks` chunks of outputs. The window of inputs
/// slides along the rows.
template <class T, int rows, int chunks>
struct ConstantWindow {
  static constexpr int n = chunk<T>, size = chunks + 1;
  T window[rows][size * n];
  T (&sum)[rows][chunks * n];

  __device__ __forceinline__ void read(const T* from, int pitch, int c) {
#pragma unroll
    for (int r = 0; r < rows; ++r) load_chunk(from + r * pitch, window[r] + c * n);
  }
  /// Adds a tap whose inputs begin at element `at` of the window.
  __device__ __forceinline__ void add(T tap, int at) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < chunks * n; ++k)
        sum[r][k] = fused(tap, window[r][(at + k) % (size * n)], sum[r][k]);
  }
};

/// `sum[r][k] += sum_i taps[i] * from[r * pitch + k + i]`, by one thread.
///
/// @param from  shared memory, aligned to 16 bytes; whole chunks are read, at most one chunk after
///              the last input
/// @param taps  one row of BandTaps
template <bool skip_zeros, class T, int rows, int outputs>
__device__ __forceinline__ void add_constant_row(const T* from, int pitch, const T* taps, int width,
                                                 T (&sum)[rows][outputs]) {
  constexpr int n = chunk<T>, chunks = outputs / n, size = chunks + 1;
  ConstantWindow<T, rows, chunks> row{{}, sum};
#pragma unroll
  for (int c = 0; c < chunks; ++c) row.read(from + c * n, pitch, c);
  from += chunks * n;
  int left = width;
  if (!skip_zeros) {
#pragma unroll 1
    for (; left >= size * n; left -= size * n, from += size * n, taps += size * n) {
#pragma unroll
      for (int c = 0; c < size; ++c) {
        T tap[n];
        load_taps(taps + c * n, tap);
        row.read(from + c * n, pitch, (c + chunks) % size);
#pragma unroll
        for (int e = 0; e < n; ++e) row.add(tap[e], c * n + e);
      }
    }
  }
#pragma unroll 1
  for (; left > 0; left -= size * n, from += size * n, taps += size * n) {
#pragma unroll
    for (int c = 0; c < size; ++c) {
      if (left <= c * n) break;
      T tap[n];
      load_taps(taps + c * n, tap);
      row.read(from + c * n, pitch, (c + chunks) % size);
      if (!skip_zeros && left >= (c + 1) * n) {
#pragma unroll
        for (int e = 0; e < n; ++e) row.add(tap[e], c * n + e);
        continue;
      }
#pragma unroll
      for (int e = 0; e < n; ++e) {
        if (left > c * n + e && (!skip_zeros || tap[e] != 0)) row.add(tap[e], c * n + e);
      }
    }
  }
}

/// `sum[0][k] += sum_i taps[sub + i] * from[sub + i + k]`, by one thread; see add_constant_row for
/// the other arguments.
///
/// @param sub  number of elements before the first tap and before the first input, less than a
///             chunk
template <bool skip_zeros, class T, int outputs>
__device__ __forceinline__ void add_padded_row(const T* from, const T* taps, int sub, int width,
                                               T (&sum)[1][outputs]) {
  constexpr int n = chunk<T>, chunks = outputs / n;
  if (sub > 0) {
    ConstantWindow<T, 1, chunks> row{{}, sum};
#pragma unroll
    for (int c = 0; c <= chunks; ++c) row.read(from + c * n, 0, c);
    T tap[n];
    load_taps(taps, tap);
#pragma unroll
    for (int e = 1; e < n; ++e) {
      if (e >= sub && e < sub + width && (!skip_zeros || tap[e] != 0)) row.add(tap[e], e);
    }
    from += n, taps += n, width -= n - sub;
  }
  add_constant_row<skip_zeros>(from, 0, taps, width, sum);
}

/// `sum[r][v] += sum_j taps[j] * from[(r + j) * pitch + v]`, by one thread; see add_constant_row
/// for the arguments.
template <bool skip_zeros, class T, int rows>
__device__ __forceinline__ void add_constant_column(const T* from, int pitch, const T* taps,
                                                    int height, T (&sum)[rows][chunk<T>]) {
  constexpr int n = chunk<T>;
  T window[rows][n];
  const auto add = [&](T tap, int k) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int v = 0; v < n; ++v) sum[r][v] = fused(tap, window[(k + r) % rows][v], sum[r][v]);
  };
#pragma unroll
  for (int r = 0; r < rows - 1; ++r) load_chunk(from + r * pitch, window[r]);
  from += (rows - 1) * pitch;
  int left = height;
  if (!skip_zeros) {
#pragma unroll 1
    for (; left >= rows; left -= rows, from += rows * pitch, taps += rows) {
#pragma unroll
      for (int k = 0; k < rows; ++k) {
        load_chunk(from + k * pitch, window[(k + rows - 1) % rows]);
        add(taps[k], k);
      }
    }
  }
#pragma unroll 1
  for (; left > 0; left -= rows, from += rows * pitch, taps += rows) {
#pragma unroll
    for (int k = 0; k < rows; ++k) {
      if (left <= k) break;
      load_chunk(from + k * pitch, window[(k + rows - 1) % rows]);
      const T tap = taps[k];
      if (!skip_zeros || tap != 0) add(tap, k);
    }
  }
}

}  // namespace stencil::cuda

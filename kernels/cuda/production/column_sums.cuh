#pragma once

#include "kernels/cuda/production/ring.cuh"

namespace stencil::cuda {

/// Taps in the order in which column_sums reads them: entry k holds the taps by which input row k
/// is multiplied in `outputs` output rows, tap k for the first, tap k - 1 for the second ...,
/// padded to whole chunks.
template <class T, int outputs>
struct TapTable {
  static constexpr int pitch = (outputs + chunk<T> - 1) / chunk<T> * chunk<T>;
  static __host__ __device__ int size(int height) { return (height + outputs - 1) * pitch; }

  /// Fills the table by all threads of a block.
  static __device__ void fill(T* table, const T* taps, int height, int thread, int threads) {
    for (int n = thread; n < size(height); n += threads) {
      const int j = n / pitch - n % pitch;
      table[n] = j >= 0 && j < height ? taps[j] : T(0);
    }
  }
};

/// `sum[r][v] += sum_j taps[j] * row(r + j)[v]`: each input is read once for all output rows.
///
/// @param at    first column of this thread in the ring's rows, a multiple of a chunk
/// @param slot  of the first input row of the first output
template <bool skip_zeros, class T, int outputs>
__device__ __forceinline__ void column_sums(const Ring<T>& ring, int at, int slot, const T* table,
                                            int height, T (&sum)[outputs][chunk<T>]) {
  constexpr int n = chunk<T>, pitch = TapTable<T, outputs>::pitch;
  const T* const begin = ring.rows + at;
  const T* const end = begin + ring.slots * ring.pitch;
  const T* from = begin + slot * ring.pitch;
  const auto read = [&](int k, T(&data)[n], T(&tap)[pitch]) {
    load_chunk(from, data);
#pragma unroll
    for (int c = 0; c < pitch; c += n) load_chunk(table + k * pitch + c, tap + c);
    from += ring.pitch;
    if (from == end) from = begin;
  };
  const auto add = [&](int r, const T(&data)[n], T tap) {
#pragma unroll
    for (int v = 0; v < n; ++v) sum[r][v] = fused(tap, data[v], sum[r][v]);
  };
  T data[n], tap[pitch];
  if constexpr (!skip_zeros) {
    if (height >= outputs) {
      // only some rows of outputs use the first and the last rows of inputs
#pragma unroll
      for (int k = 0; k < outputs - 1; ++k) {
        read(k, data, tap);
#pragma unroll
        for (int r = 0; r <= k; ++r) add(r, data, tap[r]);
      }
#pragma unroll 4
      for (int k = outputs - 1; k < height; ++k) {
        read(k, data, tap);
#pragma unroll
        for (int r = 0; r < outputs; ++r) add(r, data, tap[r]);
      }
#pragma unroll
      for (int k = 1; k < outputs; ++k) {
        read(height + k - 1, data, tap);
#pragma unroll
        for (int r = k; r < outputs; ++r) add(r, data, tap[r]);
      }
      return;
    }
  }
  for (int k = 0; k < height + outputs - 1; ++k) {
    read(k, data, tap);
#pragma unroll
    for (int r = 0; r < outputs; ++r) {
      if (k >= r && k - r < height && (!skip_zeros || tap[r] != 0)) add(r, data, tap[r]);
    }
  }
}

}  // namespace stencil::cuda

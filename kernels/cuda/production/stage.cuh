#pragma once

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Returns when the copies of all threads of the block are there.
__device__ __forceinline__ void await_all_copies() {
  commit_copies();
  await_copies<0>();
  __syncthreads();
}

/// Rows of inputs to copy: columns [first, last) of them exist.
template <class T>
struct RowSource {
  const T* from;  ///< column 0 of the first row
  long pitch;     ///< elements from row to row
  int first, last;
  int granule;  ///< bytes to which every row's column 0 is aligned: 4, 8 or 16
};

/// Starts the copy of rows warp, warp + warps, ... of `count` rows to shared memory, by one warp.
/// @pre column 0 of every row in shared memory is aligned to 16 bytes
template <int bytes, class T>
__device__ __forceinline__ void stage_rows_by(const RowSource<T>& source, T* to, int pitch, int row,
                                              int warps, int count) {
  constexpr int n = bytes / int(sizeof(T)), stride = 32 * n;
  const int lane = threadIdx.x % 32;
  const int begin = (source.first + n - 1) / n * n, end = source.last / n * n;
  const T* from = source.from + row * source.pitch + begin + lane * n;
  to += row * pitch + begin + lane * n;
#pragma unroll 1
  for (; row < count; row += warps, from += warps * source.pitch, to += warps * pitch) {
    const T* f = from;
    T* t = to;
    int left = end - begin - lane * n;
#pragma unroll 1
    for (; left > 3 * stride; left -= 4 * stride, f += 4 * stride, t += 4 * stride) {
#pragma unroll
      for (int k = 0; k < 4; ++k) start_copy<bytes>(t + k * stride, f + k * stride);
    }
#pragma unroll 1
    for (; left > 0; left -= stride, f += stride, t += stride) start_copy<bytes>(t, f);
    if (n == 1 || (begin == source.first && end == source.last)) continue;
    // what shares a granule with places that do not exist
    const int base = begin + lane * n, low = source.first + lane, high = max(begin, end) + lane;
    if (low < min(begin, source.last))
      start_copy<int(sizeof(T))>(to + (low - base), from + (low - base));
    if (high < source.last) start_copy<int(sizeof(T))>(to + (high - base), from + (high - base));
  }
}

template <class T>
__device__ __forceinline__ void stage_rows(const RowSource<T>& source, T* to, int pitch, int row,
                                           int warps, int count) {
  if (source.granule == 16) {
    stage_rows_by<16>(source, to, pitch, row, warps, count);
  } else if (source.granule == 8) {
    stage_rows_by<8>(source, to, pitch, row, warps, count);
  } else if constexpr (sizeof(T) == 4) {
    stage_rows_by<4>(source, to, pitch, row, warps, count);
  }
}

}  // namespace stencil::cuda

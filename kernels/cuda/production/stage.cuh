#pragma once

#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Starts the copy of some bytes (4, 8 or 16, both sides aligned to it) from global to shared
/// memory.
template <int bytes>
__device__ __forceinline__ void start_copy(void* to, const void* from) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(bytes));
  }
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for the copies of this thread, all but the last `pending` commits.
template <int pending>
__device__ __forceinline__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

template <class T, int bytes>
__device__ __forceinline__ void stage_row_by(T* to, const T* from, int first, int last, int lane) {
  constexpr int n = bytes / int(sizeof(T));
  const int begin = (first + n - 1) / n * n, end = last / n * n;
#pragma unroll 4
  for (int k = begin + lane * n; k < end; k += 32 * n) start_copy<bytes>(to + k, from + k);
  if (n == 1 || (begin == first && end == last)) return;
  // what lies in a granule with places that do not exist
  const int left = first + lane, right = max(begin, end) + lane;
  if (left < min(begin, last)) start_copy<int(sizeof(T))>(to + left, from + left);
  if (right < last) start_copy<int(sizeof(T))>(to + right, from + right);
}

/// Starts the copy of elements [first, last) of a row into the same places of shared memory, by the
/// 32 lanes of a warp together.
///
/// @param granule  bytes to which `from` is aligned: 4, 8 or 16; `to` is aligned to 16
template <class T>
__device__ __forceinline__ void stage_row(T* to, const T* from, int first, int last, int granule,
                                          int lane) {
  if (granule == 16) {
    stage_row_by<T, 16>(to, from, first, last, lane);
  } else if (granule == 8) {
    stage_row_by<T, 8>(to, from, first, last, lane);
  } else if constexpr (sizeof(T) == 4) {
    stage_row_by<T, 4>(to, from, first, last, lane);
  }
}

}  // namespace stencil::cuda

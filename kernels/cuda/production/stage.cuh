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
__device__ __forceinline__ void stage_row_by(T* to, const T* from, int first, int last, int lane,
                                             int lanes) {
  constexpr int n = bytes / int(sizeof(T));
  for (int k = lane * n; k < last; k += lanes * n) {
    if (k >= first && k + n <= last) {
      start_copy<bytes>(to + k, from + k);
    } else if (n > 1) {
      for (int e = k; e < k + n; ++e) {
        if (e >= first && e < last) start_copy<int(sizeof(T))>(to + e, from + e);
      }
    }
  }
}

/// Starts the copy of elements [first, last) of a row into the same places of shared memory, by
/// `lanes` threads together.
///
/// @param granule  bytes to which `from` is aligned: 4, 8 or 16; `to` is aligned to 16
template <class T>
__device__ __forceinline__ void stage_row(T* to, const T* from, int first, int last, int granule,
                                          int lane, int lanes) {
  if (granule == 16) {
    stage_row_by<T, 16>(to, from, first, last, lane, lanes);
  } else if (granule == 8) {
    stage_row_by<T, 8>(to, from, first, last, lane, lanes);
  } else if constexpr (sizeof(T) == 4) {
    stage_row_by<T, 4>(to, from, first, last, lane, lanes);
  }
}

}  // namespace stencil::cuda

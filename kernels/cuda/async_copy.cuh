#pragma once

#include <cuda_runtime.h>

namespace stencil::cuda {

// Asynchronous copies of a thread from global to shared memory (PTX ISA, cp.async). A copy has 4, 8
// or 16 bytes, and both addresses are aligned to the size of the copy. The compiler does not move
// loads and stores of memory across these functions.

/// @param to  address in shared memory
template <int bytes>
__device__ __forceinline__ void start_copy(unsigned to, const void* from) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes)
                 : "memory");
  }
}
template <int bytes>
__device__ __forceinline__ void start_copy(void* to, const void* from) {
  start_copy<bytes>(unsigned(__cvta_generic_to_shared(to)), from);
}

/// Copies 16 bytes like start_copy<16>, of which only the first `count` are read; the others become
/// 0.
__device__ __forceinline__ void start_partial_copy(unsigned to, const void* from, int count) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(count)
               : "memory");
}

/// Commits the copies that this thread has started since the last commit as one group.
__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until all groups of copies of this thread are complete, except for the last `pending`
/// groups.
template <int pending>
__device__ __forceinline__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace stencil::cuda

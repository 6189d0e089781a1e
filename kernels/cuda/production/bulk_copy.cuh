#pragma once

#include <cuda.h>

namespace stencil::cuda {

// Bulk copies from global to shared memory, and the barriers in shared memory that count the copied
// bytes (PTX ISA, cp.async.bulk and mbarrier). A barrier has 8 bytes; functions take its address in
// shared memory.

/// Makes a barrier at which one thread arrives in every phase. One thread calls this function;
/// other threads may use the barrier after a __syncthreads.
__device__ __forceinline__ void make_barrier(unsigned barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives at the barrier. The phase ends when `bytes` bytes have been copied; the copies may have
/// been started before this call.
__device__ __forceinline__ void expect_bytes(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Returns true for one thread of the warp. All threads of the warp must call this function
/// together. The compiler then knows that a single thread issues the bulk copies, and emits these
/// copies directly. Otherwise the compiler emits a loop over the lanes of the warp, which takes
/// about fifty cycles per copy.
__device__ __forceinline__ bool is_elected() {
  unsigned elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(elected));
  return elected != 0;
}

/// Starts a copy from global to shared memory.
/// @pre both addresses and the number of bytes are multiples of 16
__device__ __forceinline__ void start_bulk_copy(void* to, const void* from, unsigned bytes,
                                                unsigned barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
}

/// Starts the copy of the box of a tensor map that begins at this column, row and batch. The map is
/// a kernel argument.
///
/// @pre `to` is aligned to 128 bytes, and the address of the column in global memory to 16 bytes
__device__ __forceinline__ void start_box_copy(void* to, const CUtensorMap& map, int column,
                                               int row, int batch, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
      "[%1, {%2, %3, %4}], [%5];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(&map), "r"(column), "r"(row), "r"(batch), "r"(barrier)
      : "memory");
}

/// Orders the writes of this thread to shared memory before the bulk copies to the same addresses
/// that are started after the next __syncthreads.
__device__ __forceinline__ void before_bulk_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Waits for the end of a phase.
///
/// @param phase  0 for the first, third, ... phase of the barrier, 1 for the others
__device__ __forceinline__ void await_phase(unsigned barrier, unsigned phase) {
  asm volatile(
      "{\n.reg .pred p;\nagain%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again%=;\n}" ::"r"(barrier),
      "r"(phase)
      : "memory");
}

/// Like await_phase, for all threads of a warp at the same time. The compiler then knows that the
/// threads leave the loop in the same iteration, and can keep taps in uniform registers.
__device__ __forceinline__ void await_together(unsigned barrier, unsigned phase) {
  unsigned done;
  do {
    asm volatile(
        "{\n.reg .pred p, q;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "vote.sync.all.pred q, p, 0xffffffff;\n"
        "selp.u32 %0, 1, 0, q;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(phase)
        : "memory");
  } while (done == 0);
}

}  // namespace stencil::cuda

#pragma once

#include <cuda.h>

namespace stencil::cuda {

// Bulk copies from global to shared memory and the barriers in shared memory that count their bytes
// (PTX ISA, cp.async.bulk and mbarrier). Barriers are 8 bytes, given by their address in shared
// memory.

/// Makes a barrier at which one thread arrives in every phase. Called by one thread; others may use
/// the barrier after a __syncthreads.
__device__ __forceinline__ void make_barrier(unsigned barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives; the phase ends when this number of bytes has been copied. Copies may start before.
__device__ __forceinline__ void expect_bytes(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Whether this thread acts for its warp, all of whose threads call this together. The compiler
/// knows that only one thread is elected and issues its bulk copies one by one. Bulk copies of a
/// thread that might not be the only one go through a loop over the warp's lanes, at some fifty
/// cycles each.
__device__ __forceinline__ bool is_elected() {
  unsigned elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(elected));
  return elected != 0;
}

/// @pre both places and the number of bytes are multiples of 16
__device__ __forceinline__ void start_bulk_copy(void* to, const void* from, unsigned bytes,
                                                unsigned barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
}

/// Starts the copy of the box of a tensor map that begins with this column and row of this batch;
/// the map is one of the kernel's arguments.
///
/// @pre `to` is aligned to 128 bytes; the column begins 16 bytes
__device__ __forceinline__ void start_box_copy(void* to, const CUtensorMap& map, int column,
                                               int row, int batch, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
      "[%1, {%2, %3, %4}], [%5];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(&map), "r"(column), "r"(row), "r"(batch), "r"(barrier)
      : "memory");
}

/// Orders this thread's writes to shared memory before bulk copies to the same place that start
/// after the next __syncthreads.
__device__ __forceinline__ void before_bulk_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// @param phase  0 for the first, third ... phase of the barrier, 1 for the others
__device__ __forceinline__ void await_phase(unsigned barrier, unsigned phase) {
  asm volatile(
      "{\n.reg .pred p;\nagain%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again%=;\n}" ::"r"(barrier),
      "r"(phase)
      : "memory");
}

/// As above, for all threads of a warp at once: the compiler knows that they leave the loop
/// together, so that it can still take taps from uniform registers.
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

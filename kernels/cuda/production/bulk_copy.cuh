#pragma once

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/tensor_map.cuh"

namespace stencil::cuda {

// Copies of rows and boxes from global to shared memory, and the barriers in shared memory at which
// threads wait for these copies. A barrier has 8 bytes; functions take its address in shared
// memory.
//
// From compute capability 9.0 on, one thread of a warp starts a bulk copy of a whole row or box,
// and the barrier counts the copied bytes (PTX ISA, cp.async.bulk and mbarrier). GPUs of compute
// capability 8 have no bulk copies: there, all threads of the warp copy 16 bytes each (cp.async),
// and the barrier counts the threads whose copies are complete (cp.async.mbarrier.arrive). In both
// cases a phase of the barrier ends when all copies of the phase are complete.

#ifdef __CUDA_ARCH__
constexpr bool has_bulk_copies = __CUDA_ARCH__ >= 900;
#else
constexpr bool has_bulk_copies = true;  // the compiler parses device code for the host, too
#endif

/// Makes a barrier. One thread calls this function; other threads may use the barrier after a
/// __syncthreads, or after a __syncwarp if they are in the same warp.
///
/// @param threads  number of threads that start the copies of a phase and call end_copies()
__device__ __forceinline__ void make_barrier(unsigned barrier, int threads) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier),
               "r"(has_bulk_copies ? 1 : threads)
               : "memory");
  if constexpr (has_bulk_copies) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Announces the number of bytes that are copied in this phase; one thread calls this function. The
/// copies may have been started before this call.
__device__ __forceinline__ void expect_bytes(unsigned barrier, unsigned bytes) {
  if constexpr (has_bulk_copies)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

/// Returns true for the threads of the warp that have to call start_row_copy(): one thread, or all
/// threads where there are no bulk copies. All threads of the warp must call this function
/// together. The compiler then knows that a single thread issues the bulk copies, and emits these
/// copies directly. Otherwise the compiler emits a loop over the lanes of the warp, which takes
/// about fifty cycles per copy.
__device__ __forceinline__ bool starts_copies() {
  unsigned elected = 1;
  if constexpr (has_bulk_copies)
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(elected));
  return elected != 0;
}

/// Starts a copy from global to shared memory, by the threads of a warp for which starts_copies()
/// is true.
/// @pre both addresses and the number of bytes are multiples of 16
__device__ __forceinline__ void start_row_copy(void* to, const void* from, unsigned bytes,
                                               unsigned barrier) {
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (has_bulk_copies) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(target),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
  } else {
#pragma unroll 4
    for (unsigned at = threadIdx.x % 32 * 16; at < bytes; at += 32 * 16)
      start_copy<16>(target + at, static_cast<const unsigned char*>(from) + at);
  }
}

/// Ends the copies that this thread has started in this phase. All threads that make_barrier()
/// counts call this function once in each phase.
__device__ __forceinline__ void end_copies(unsigned barrier) {
  if constexpr (!has_bulk_copies)
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

/// Starts and ends a copy of one row, which is the only copy of the phase. The threads of one warp,
/// for which the barrier was made, call this function together; see start_row_copy().
__device__ __forceinline__ void copy_row(void* to, const void* from, unsigned bytes,
                                         unsigned barrier) {
  if (starts_copies()) {
    expect_bytes(barrier, bytes);
    start_row_copy(to, from, bytes, barrier);
  }
  end_copies(barrier);
}

/// Starts and ends a copy of a box of inputs, which is the only copy of the phase. The box begins
/// at this column, row and batch of the inputs; elements outside the inputs are 0. The threads of
/// one warp, for which the barrier was made, call this function together.
///
/// @param map      a kernel argument
/// @param columns, rows  sides of the box for which the map was made
/// @pre `to` is aligned to 128 bytes, the address of the column in global memory and the columns of
///      the box to 16 bytes, and the batch exists
template <class T>
__device__ __forceinline__ void copy_box(T* to, const InputMap& map, int columns, int rows,
                                         int column, int row, int batch, unsigned barrier) {
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (has_bulk_copies) {
    if (!starts_copies()) return;
    expect_bytes(barrier, unsigned(rows * columns * sizeof(T)));
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3, %4}], [%5];" ::"r"(target),
        "l"(&map.tensor), "r"(column), "r"(row), "r"(batch), "r"(barrier)
        : "memory");
  } else {
    const PlainMap& inputs = map.plain;
    constexpr int n = 16 / int(sizeof(T));
    const int chunks = columns / n;
    const unsigned char* const plane = inputs.first + batch * inputs.batch_bytes;
#pragma unroll 4
    for (int at = threadIdx.x % 32; at < chunks * rows; at += 32) {
      const int y = row + at / chunks, x = column + at % chunks * n;
      // number of elements of these 16 bytes that exist; the others become 0
      int count = min(max(inputs.columns - x, 0), n);
      if (x < 0 || y < 0 || y >= inputs.rows) count = 0;
      const long offset = count > 0 ? y * inputs.row_bytes + x * long(sizeof(T)) : 0;
      start_partial_copy(target + at * 16, plane + offset, count * int(sizeof(T)));
    }
    end_copies(barrier);
  }
}

/// Orders the writes of this thread to shared memory before the bulk copies to the same addresses
/// that are started after the next __syncthreads.
__device__ __forceinline__ void before_bulk_copies() {
  if constexpr (has_bulk_copies) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Waits for the end of a phase.
///
/// @param phase  0 for the first, third, ... phase of the barrier, 1 for the others
__device__ __forceinline__ void await_phase(unsigned barrier, unsigned phase) {
  if constexpr (has_bulk_copies) {
    asm volatile(
        "{\n.reg .pred p;\nagain%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again%=;\n}" ::"r"(barrier),
        "r"(phase)
        : "memory");
  } else {
    asm volatile(
        "{\n.reg .pred p;\nagain%=:\n"
        "mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n"
        "@!p bra again%=;\n}" ::"r"(barrier),
        "r"(phase)
        : "memory");
  }
}

/// Like await_phase, for all threads of a warp at the same time. The compiler then knows that the
/// threads leave the loop in the same iteration, and can keep taps in uniform registers.
__device__ __forceinline__ void await_together(unsigned barrier, unsigned phase) {
  unsigned done;
  do {
    if constexpr (has_bulk_copies) {
      asm volatile(
          "{\n.reg .pred p, q;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "vote.sync.all.pred q, p, 0xffffffff;\n"
          "selp.u32 %0, 1, 0, q;\n}"
          : "=r"(done)
          : "r"(barrier), "r"(phase)
          : "memory");
    } else {
      asm volatile(
          "{\n.reg .pred p, q;\n"
          "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
          "vote.sync.all.pred q, p, 0xffffffff;\n"
          "selp.u32 %0, 1, 0, q;\n}"
          : "=r"(done)
          : "r"(barrier), "r"(phase)
          : "memory");
    }
  } while (done == 0);
}

}  // namespace stencil::cuda

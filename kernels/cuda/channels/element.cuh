#pragma once

// What the kernels of channels do with single elements and 16-byte pieces.

#include <cuda_runtime.h>

#include "kernels/cuda/arithmetic.cuh"

namespace stencil::cuda {

template <class T>
struct Piece;  ///< 16 bytes of elements
template <>
struct Piece<float> {
  using Type = float4;
  static constexpr int count = 4;
};
template <>
struct Piece<double> {
  using Type = double2;
  static constexpr int count = 2;
};

/// @pre `from` is aligned to 16 bytes
template <class T>
__device__ inline void load_piece(const T* from, T* to) {
  *reinterpret_cast<typename Piece<T>::Type*>(to) =
      *reinterpret_cast<const typename Piece<T>::Type*>(from);
}

/// Copies `bytes` (4, 8 or 16) from global to shared memory without waiting.
template <int bytes>
__device__ inline void start_copy(void* shared, const void* global) {
  const unsigned place = unsigned(__cvta_generic_to_shared(shared));
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(global), "n"(bytes)
                 : "memory");
  }
}
__device__ inline void end_batch() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `batches` of this thread's batches are under way.
template <int batches>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(batches) : "memory");
}

/// Stores the points [x, nx) of one piece, past the caches; whole where it is aligned.
template <class T>
__device__ inline void store_piece(T* row, int x, int nx, const T* values) {
  using P = Piece<T>;
  T* to = row + x;
  if (x + P::count <= nx && reinterpret_cast<unsigned long long>(to) % 16 == 0) {
    __stcs(reinterpret_cast<typename P::Type*>(to),
           *reinterpret_cast<const typename P::Type*>(values));
    return;
  }
#pragma unroll
  for (int p = 0; p < P::count; ++p)
    if (x + p < nx) to[p] = values[p];
}

}  // namespace stencil::cuda

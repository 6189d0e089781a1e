#pragma once

// Loads and stores of elements and pieces of 16 bytes, for the kernels of channels.

#include <cuda_runtime.h>

#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/async_copy.cuh"

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

/// Stores the points [x, nx) of one piece with streaming stores; in one store if the piece is
/// aligned and complete.
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

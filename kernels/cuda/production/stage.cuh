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

}  // namespace stencil::cuda

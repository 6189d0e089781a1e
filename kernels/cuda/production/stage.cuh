#pragma once

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/production/chunk.cuh"

namespace stencil::cuda {

/// Waits until the copies of all threads of the block are complete.
__device__ __forceinline__ void await_all_copies() {
  commit_copies();
  await_copies<0>();
  __syncthreads();
}

/// Rows of inputs to copy. Only the inputs in the columns [first, last) exist.
template <class T>
struct RowSource {
  const T* from;  ///< column 0 of the first row
  long pitch;     ///< number of elements from row to row
  int first, last;
  int granule;  ///< bytes to which every row's column 0 is aligned: 4, 8 or 16
};

}  // namespace stencil::cuda

#pragma once

#include <cuda_runtime.h>

#include "examples/strategies/parts.hpp"
#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/device_attributes.hpp"

namespace stencil::cuda::ladder {

/// Launches a kernel over all outputs of a sweep: one block for each tile, x fastest.
///
/// @param launch  `launch(part, blocks, threads)` starts the kernel for a part of the sweep
template <class T>
void for_each_grid(const KernelArguments<T>& arguments, const TileGeometry& g, const auto& launch) {
  const dim3 threads(unsigned(g.threads_x), unsigned(g.threads_y));
  for_each_part(arguments, g, [&](const KernelArguments<T>& part) {
    const Index blocks_x = (part.outputs_x + g.tile_x - 1) / g.tile_x;
    const Index blocks_y = (part.outputs_y + g.tile_y - 1) / g.tile_y;
    launch(part, dim3(unsigned(blocks_x), unsigned(blocks_y), unsigned(part.outputs_batch)),
           threads);
    check_launch("a kernel of the ladder");
  });
}

/// Allows a kernel more shared memory than the 48 KiB that every block may use by default.
inline void allow_shared_memory(const void* kernel, std::size_t bytes) {
  if (bytes <= 48 * 1024) return;
  check(allow_shared_bytes(kernel, bytes), "asking for shared memory of a block");
}

/// Shared memory of the block, with the number of elements given at the launch.
template <class T>
__device__ T* shared_tile() {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

/// Returns the input at a position of this block's batch, or 0 beyond the inputs, which no output
/// uses.
template <class T>
__device__ T input_or_zero(const KernelArguments<T>& arguments, Index y, Index x) {
  if (y >= arguments.inputs_y || x >= arguments.inputs_x) return 0;
  return arguments.source[blockIdx.z * arguments.source_batch + y * arguments.source_row + x];
}

/// Writes an output of this block's batch.
template <class T>
__device__ void put(const KernelArguments<T>& arguments, Index y, Index x, T value) {
  arguments.target[blockIdx.z * arguments.target_batch + y * arguments.target_row + x] =
      clean(value);
}

}  // namespace stencil::cuda::ladder

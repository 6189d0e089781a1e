#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "framework/grid/error.hpp"
#include "kernels/cuda/arithmetic.cuh"
#include "kernels/cuda/ladder/geometry.hpp"
#include "kernels/cuda/ladder/sweep.hpp"

namespace stencil::cuda::ladder {

inline void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw MachineError(std::string("GPU: ") + what + ": " + cudaGetErrorString(status));
}

/// Launches a kernel over all outputs of a sweep: one block for each tile, x fastest. A grid has at
/// most 65,535 blocks along y and z, so larger sweeps go in several launches.
///
/// @param launch  `launch(part, blocks, threads)` starts the kernel for a part of the sweep
template <class T>
void for_each_grid(const Sweep<T>& sweep, const TileGeometry& g, const auto& launch) {
  constexpr Index most_blocks = 65'535;
  const dim3 threads(unsigned(g.threads_x), unsigned(g.threads_y));
  const Index blocks_x = (sweep.outputs_x + g.tile_x - 1) / g.tile_x;
  for (Index b = 0; b < sweep.outputs_batch; b += most_blocks) {
    for (Index y = 0; y < sweep.outputs_y; y += most_blocks * g.tile_y) {
      Sweep<T> part = sweep;
      part.source += b * sweep.source_batch + y * sweep.stride_y * sweep.source_row;
      part.target += b * sweep.target_batch + y * sweep.target_row;
      part.outputs_batch = std::min(most_blocks, sweep.outputs_batch - b);
      part.outputs_y = std::min(most_blocks * g.tile_y, sweep.outputs_y - y);
      part.inputs_y = sweep.inputs_y - y * sweep.stride_y;
      const Index blocks_y = (part.outputs_y + g.tile_y - 1) / g.tile_y;
      launch(part, dim3(unsigned(blocks_x), unsigned(blocks_y), unsigned(part.outputs_batch)),
             threads);
      require(cudaGetLastError(), "a kernel of the ladder did not start");
    }
  }
}

/// Lets a kernel have more shared memory than the 48 KiB that every block may have unasked.
inline void allow_shared_memory(const void* kernel, std::size_t bytes) {
  if (bytes <= 48 * 1024) return;
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)),
          "no such shared memory for a block");
}

/// The block's shared memory, as many elements as the launch gave it.
template <class T>
__device__ T* shared_tile() {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  return reinterpret_cast<T*>(shared_bytes);
}

/// The input at a place of this block's batch; 0 behind the inputs, where no output reads it.
template <class T>
__device__ T input_or_zero(const Sweep<T>& sweep, Index y, Index x) {
  if (y >= sweep.inputs_y || x >= sweep.inputs_x) return 0;
  return sweep.source[blockIdx.z * sweep.source_batch + y * sweep.source_row + x];
}

/// Writes an output of this block's batch.
template <class T>
__device__ void put(const Sweep<T>& sweep, Index y, Index x, T value) {
  sweep.target[blockIdx.z * sweep.target_batch + y * sweep.target_row + x] = clean(value);
}

}  // namespace stencil::cuda::ladder

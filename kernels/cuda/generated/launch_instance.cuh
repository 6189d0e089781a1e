#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "kernels/cuda/generated/instance.hpp"

namespace stencil::cuda {

/// Returns the address of an argument of a kernel. The argument is an object with the layout of the
/// parameter. If the parameter is an array of taps, the argument may be a vector with at least as
/// many taps.
template <class Argument>
void* argument_address(const Argument& argument) {
  return const_cast<void*>(static_cast<const void*>(&argument));
}
template <class T>
void* argument_address(const std::vector<T>& taps) {
  return const_cast<void*>(static_cast<const void*>(taps.data()));
}

/// Queues one launch; queues no work if the grid has no blocks.
///
/// @throws NoInstance    the GPU has too little shared memory
/// @throws MachineError  the launch failed
template <class... Arguments>
void launch_instance(const LoadedKernel& kernel, const dim3& blocks, int threads, std::size_t bytes,
                     CUstream_st* stream, const Arguments&... arguments) {
  kernel.allow_shared_bytes(bytes);
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return;
  void* addresses[] = {argument_address(arguments)...};
  kernel.launch({blocks.x, blocks.y, blocks.z}, unsigned(threads), bytes, stream, addresses);
}

}  // namespace stencil::cuda

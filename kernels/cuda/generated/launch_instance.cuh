#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "kernels/cuda/generated/instance.hpp"

namespace stencil::cuda {

/// The place of an argument of a kernel: an object with the layout of the parameter, or a vector of
/// at least as many taps as an array of taps has.
template <class Argument>
void* argument_address(const Argument& argument) {
  return const_cast<void*>(static_cast<const void*>(&argument));
}
template <class T>
void* argument_address(const std::vector<T>& taps) {
  return const_cast<void*>(static_cast<const void*>(taps.data()));
}

/// Queues one launch; nothing where no block is wanted.
///
/// @throws MachineError  the launch failed
template <class... Arguments>
void launch_instance(const LoadedKernel& kernel, const dim3& blocks, int threads, std::size_t bytes,
                     CUstream_st* stream, const Arguments&... arguments) {
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return;
  kernel.allow_shared_bytes(bytes);
  void* addresses[] = {argument_address(arguments)...};
  kernel.launch({blocks.x, blocks.y, blocks.z}, unsigned(threads), bytes, stream, addresses);
}

}  // namespace stencil::cuda

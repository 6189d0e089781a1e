#pragma once

#include <cuda_runtime.h>

#include <array>
#include <vector>

#include "kernels/cuda/generated/instance.hpp"
#include "kernels/cuda/generated/launch_record.hpp"

namespace stencil::cuda {

/// Returns the bytes of an argument of a kernel. The argument is an object with the layout of the
/// parameter. If the parameter is an array of taps, the argument may be a vector with at least as
/// many taps.
template <class Argument>
LaunchRecord::Argument kernel_argument(const Argument& argument) {
  return {&argument, sizeof(Argument)};
}
template <class T>
LaunchRecord::Argument kernel_argument(const std::vector<T>& taps) {
  return {taps.data(), taps.size() * sizeof(T)};
}

/// Queues one launch, and adds it to the LaunchRecord of this thread; queues no work if the grid
/// has no blocks.
///
/// @throws NoInstance    the GPU has too little shared memory
/// @throws MachineError  the launch failed
template <class... Arguments>
void launch_instance(const LoadedKernel& kernel, const dim3& blocks, int threads, std::size_t bytes,
                     CUstream_st* stream, const Arguments&... arguments) {
  kernel.allow_shared_bytes(bytes);
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return;
  const std::array<unsigned, 3> grid{blocks.x, blocks.y, blocks.z};
  void* addresses[] = {const_cast<void*>(kernel_argument(arguments).address)...};
  kernel.launch(grid, unsigned(threads), bytes, stream, addresses);
  LaunchRecord::add(kernel, grid, unsigned(threads), bytes, {kernel_argument(arguments)...});
}

}  // namespace stencil::cuda

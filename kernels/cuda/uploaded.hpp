#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"

namespace stencil::cuda {

/// Copies numbers to device memory, and waits for the end of the copy.
/// @throws MachineError  not enough memory
template <class T>
Memory uploaded(CudaExecutor& executor, const std::vector<T>& values) {
  const auto count = static_cast<Index>(values.size());
  Memory memory = executor.allocate(values.size() * sizeof(T));
  if (count == 0) return memory;
  const Index element = sizeof(T);
  const Point extent{1, 1, count}, stride{count * element, count * element, element};
  const auto* host = reinterpret_cast<const std::byte*>(values.data());
  executor.upload({host, extent, stride}, {memory.get(), extent, stride}, sizeof(T));
  return memory;
}

}  // namespace stencil::cuda

#include "framework/device/cuda/driver_entry.hpp"

#include <cuda_runtime.h>

#include <string>

#include "framework/device/cuda/check.hpp"
#include "framework/grid/error.hpp"

namespace stencil::cuda {

void* driver_entry(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found),
        std::string("search for ") + name);
  if (entry == nullptr || found != cudaDriverEntryPointSuccess)
    throw MachineError(std::string("GPU: the driver has no ") + name +
                       ": update it, or use backend = cpu");
  return entry;
}

}  // namespace stencil::cuda

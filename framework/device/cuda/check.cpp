#include "framework/device/cuda/check.hpp"

#include <cuda_runtime.h>

#include "framework/grid/error.hpp"

namespace stencil::cuda {

void check(int status, const std::string& what) {
  if (status == cudaSuccess) return;
  const std::string words = "GPU: " + what + " failed: CUDA says `" +
                            cudaGetErrorString(static_cast<cudaError_t>(status)) + "`: ";
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();  // clears the error: the next launch would report it otherwise
    throw MemoryError(words + "use more GPUs, backend = cpu, or a smaller input");
  }
  throw MachineError(words + "check nvidia-smi, or use backend = cpu");
}

void check_launch(const std::string& kernel) {
  check(cudaGetLastError(), "launch of " + kernel);
}

}  // namespace stencil::cuda

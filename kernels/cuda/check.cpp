#include "kernels/cuda/check.hpp"

#include <cuda_runtime.h>

#include "framework/grid/error.hpp"

namespace stencil::cuda {

void check(int status, const std::string& what) {
  if (status == cudaSuccess) return;
  throw MachineError("GPU: " + what +
                     " failed: " + cudaGetErrorString(static_cast<cudaError_t>(status)));
}

void check_launch(const std::string& kernel) {
  check(cudaGetLastError(), "launch of " + kernel);
}

}  // namespace stencil::cuda

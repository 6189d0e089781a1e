#include "drivers/stencil_bench/ways_gpu.hpp"
#include "framework/grid/error.hpp"

namespace stencil::bench {

std::unique_ptr<WaysDevice> ways_on_gpu() {
  throw MachineError(
      "stencil_bench ways times GPUs in builds with CUDA only: build with nvcc and "
      "STENCIL_CUDA=ON, or leave backend = cuda out");
}

}  // namespace stencil::bench

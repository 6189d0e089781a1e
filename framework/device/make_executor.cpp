// The one place where the backend is chosen at build time.
#include <fmt/format.h>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/grid/error.hpp"
#ifdef STENCIL_HAS_CUDA
#include "framework/device/cuda/device_facts.hpp"
#endif

namespace stencil {

std::vector<std::string> gpu_facts() {
#ifdef STENCIL_HAS_CUDA
  return cuda::device_facts();
#else
  return {};
#endif
}

std::unique_ptr<Executor> make_executor(const std::string& backend) {
  if (backend == "auto" || backend == "cpu") return std::make_unique<CpuExecutor>();
  throw WordsError(fmt::format(
      "run.backend = {}: not there yet, only cpu is; write run.backend = cpu or auto", backend));
}

}  // namespace stencil

#include <fmt/format.h>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"

namespace stencil {

std::unique_ptr<Executor> make_executor(const std::string& backend) {
  if (backend == "auto" || backend == "cpu") return std::make_unique<CpuExecutor>();
  throw WordsError(fmt::format(
      "run.backend = {}: not there yet, only cpu is; write run.backend = cpu or auto", backend));
}

}  // namespace stencil

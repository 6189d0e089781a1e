#include "kernels/cuda/generated/instance.hpp"

#include <fmt/format.h>

#include "kernels/cuda/generated/source_instance.hpp"

namespace stencil::cuda {

const LoadedKernel& instance(const std::string& file, const std::string& kernel) {
  const auto source = [&] {
    return fmt::format("#include \"kernels/cuda/production/{}\"\n", file);
  };
  return instance_of_source(kernel, source, "stencil::cuda::" + kernel);
}

}  // namespace stencil::cuda

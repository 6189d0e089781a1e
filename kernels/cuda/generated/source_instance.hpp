#pragma once

#include <functional>
#include <string>

#include "kernels/cuda/generated/loaded_kernel.hpp"

namespace stencil::cuda {

/// Like instance(), for a kernel whose source is generated for one mask.
///
/// @param key     different for different sources; `source` is called only if the key is new
/// @param kernel  name of the kernel with its namespaces
const LoadedKernel& instance_of_source(const std::string& key,
                                       const std::function<std::string()>& source,
                                       const std::string& kernel);

}  // namespace stencil::cuda

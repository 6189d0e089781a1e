#pragma once

#include <functional>
#include <string>

#include "kernels/cuda/generated/loaded_kernel.hpp"

namespace stencil::cuda {

/// Like instance(), for a kernel whose source is generated for one mask.
///
/// @param key     differs where the source differs; `source` is called only for a new key
/// @param kernel  with its namespaces
const LoadedKernel& instance_of_source(const std::string& key,
                                       const std::function<std::string()>& source,
                                       const std::string& kernel);

}  // namespace stencil::cuda

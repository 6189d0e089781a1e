#pragma once

#include <string>
#include <vector>

namespace stencil::cuda {

/// See gpu_facts(); plain C++, so that no caller needs nvcc.
std::vector<std::string> device_facts();

}  // namespace stencil::cuda

#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::cuda {

/// See gpu_facts(); plain C++, so that no caller needs nvcc.
std::vector<std::string> device_facts();

/// The line of one device; `GPU` where it does not answer.
std::string device_facts(int device);

/// `139.7 GiB`.
std::string in_gibibytes(Index bytes);

}  // namespace stencil::cuda

#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::cuda {

/// The GPUs that this process sees, if it can compute on all of them.
struct Devices {
  int count = 0;
  std::string trouble;  ///< why there are none although there seems to be one; a few words
};
Devices find_devices();

/// How many there are.
int device_count();

/// See gpu_facts(); plain C++, so that no caller needs nvcc.
std::vector<std::string> device_facts();

/// The line of one device; `GPU` if it cannot be queried.
std::string device_facts(int device);

/// `139.7 GiB`.
std::string in_gibibytes(Index bytes);

}  // namespace stencil::cuda

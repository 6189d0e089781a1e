#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::cuda {

/// Number of GPUs that this process sees; 0 unless the process can compute on all of these GPUs.
struct Devices {
  int count = 0;
  std::string trouble;  ///< why no GPU is usable although the machine seems to have one, in a few
                        ///< words; else empty
};
Devices find_devices();

/// Number of GPUs that this process can compute on.
int device_count();

/// Implements gpu_facts(); plain C++, so that no caller needs nvcc.
std::vector<std::string> device_facts();

/// Facts of one device on one line; `GPU` if the device cannot be queried.
std::string device_facts(int device);

/// Formats a size as in `139.7 GiB`.
std::string in_gibibytes(Index bytes);

}  // namespace stencil::cuda

#pragma once

#include <string>
#include <vector>

namespace stencil {

/// One line per GPU that this process sees: name, multiprocessors, memory, L2, constant and shared
/// memory as the device reports them. Empty without a GPU, without a driver, or in a CPU-only
/// build.
std::vector<std::string> gpu_facts();

}  // namespace stencil

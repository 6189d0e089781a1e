#pragma once

#include <string>
#include <vector>

namespace stencil {

/// One line per GPU that this process can compute on: name, multiprocessors, memory, L2, constant
/// and shared memory as the device reports them. Empty without a GPU, without a driver, or in a
/// CPU-only build.
std::vector<std::string> gpu_facts();

/// Why gpu_facts() is empty although this program was built for GPUs and the machine seems to have
/// one, for example a driver that is too old. Empty if nothing is wrong.
std::string gpu_trouble();

}  // namespace stencil
